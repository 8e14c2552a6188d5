//@ run(explore_strong): explore --fairness strong
//@ run(explore_weak): explore --fairness weak
//@ run(live_strong): live --fairness strong
//@ run(live_weak): live --fairness weak
//@ verdict(explore_strong): safe
//@ verdict(explore_weak): unsafe
//@ verdict(live_strong): none-within-bounds
//@ verdict(live_weak): non-terminating
//@ kind(explore_weak): non-termination
//@ kind(live_weak): non-termination
// The list of optimistic_list.bpl, repaired: a thread locks each node before it unlocks the one before, so there is
// nothing to validate and nothing to try again. Under strong fairness the first thread gets each lock some day, and its
// `Add` ends. Under weak fairness it can wait for ever for a lock that the second takes and releases again and again.
//
// `raddle live` gives up the formulas, which are large, and looks at all states.

// The heap: nodes are numbers. Head and tail are always there; the cells are in the list or free.
var next: [int]int;
var key: [int]int;
var lock: [int]mutex;

// The free list: its first cell, and for each cell in it the next one.
var first_free: int;
var next_free: [int]int;
var allocated: [int]bool;

// Whether the first thread is still at work.
var flag: bool;

function {:inline} Nil(): int { 0 }
function {:inline} Head(): int { 1 }
function {:inline} Tail(): int { 2 }

// The keys of head and tail.
function {:inline} Smallest(): int { 0 }
function {:inline} Largest(): int { 3 }

procedure Allocate() returns (node: int)
  modifies first_free, allocated;
{
  atomic {
    node := first_free;
    assert node != Nil();
    first_free := next_free[node];
    allocated[node] := true;
  }
}

procedure Free(node: int)
  modifies first_free, next_free, allocated;
{
  atomic {
    assert allocated[node];
    allocated[node] := false;
    next_free[node] := first_free;
    first_free := node;
  }
}

// The neighbours between which `value` belongs, both locked. Going on from node to node, the thread always holds a
// lock: nobody can change or free what it looks at.
procedure FindAndLock(value: int) returns (pred: int, curr: int)
  modifies lock;
{
  pred := Head();
  acquire lock[pred];
  curr := next[pred];
  acquire lock[curr];
  while (key[curr] < value) {
    release lock[pred];
    pred, curr := curr, next[curr];
    acquire lock[curr];
  }
}

procedure Unlock(pred: int, curr: int)
  modifies lock;
{
  release lock[curr];
  release lock[pred];
}

procedure Add(value: int)
  modifies next, key, lock, first_free, allocated;
{
  var pred, curr, node: int;
  call pred, curr := FindAndLock(value);
  if (key[curr] != value) {
    call node := Allocate();
    key[node] := value;
    next[node] := curr;
    next[pred] := node;
  }
  call Unlock(pred, curr);
}

procedure Remove(value: int)
  modifies next, lock, first_free, next_free, allocated;
{
  var pred, curr: int;
  call pred, curr := FindAndLock(value);
  if (key[curr] == value) {
    next[pred] := next[curr];
    call Free(curr);
  }
  call Unlock(pred, curr);
}

procedure AnyValue() returns (value: int)
{
  havoc value;
  assume Smallest() < value && value < Largest();
}

// Fig. 3 (b)
procedure Thread1()
  modifies next, key, lock, first_free, allocated, flag;
{
  var value: int;
  call value := AnyValue();
  call Add(value);
  flag := false;
}

procedure Thread2()
  modifies next, key, lock, first_free, next_free, allocated;
{
  var value: int;
  while (flag) {
    call value := AnyValue();
    if (*) {
      call Add(value);
    } else {
      call Remove(value);
    }
  }
}

// A list with one arbitrary element, in cell 3. Cell 4 is free: the list never has more than two elements.
procedure Initialize()
  modifies next, key, first_free, next_free, allocated;
{
  var a: int;
  assume Smallest() < a && a < Largest();
  next[Head()] := 3;
  next[3] := Tail();
  key[Head()] := Smallest();
  key[3] := a;
  key[Tail()] := Largest();
  allocated[3] := true;
  allocated[4] := false;
  first_free := 4;
  next_free[4] := Nil();
}

procedure main()
  modifies next, key, lock, first_free, next_free, allocated, flag;
{
  call Initialize();
  flag := true;
  async call Thread1();
  async call Thread2();
}
