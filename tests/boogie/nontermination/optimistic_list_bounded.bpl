//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// The program of optimistic_list.bpl, except that the second thread stops after two operations. Each of them makes the
// first try again a few times at most, so there is no fair infinite execution.
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

// The links and the key of a freed node stay as they are: a thread that walks over it still finds its way.
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

// The neighbours between which `value` belongs, as seen without locks.
procedure Find(value: int) returns (pred: int, curr: int)
{
  pred := Head();
  curr := next[pred];
  while (key[curr] < value) {
    pred, curr := curr, next[curr];
  }
}

// Cells are used again, so two cells may come in this order today and in the other one tomorrow. To lock them in the
// order of the list could end in a deadlock; the order of their numbers is always the same.
procedure Lock(pred: int, curr: int)
  modifies lock;
{
  if (pred < curr) {
    acquire lock[pred];
    acquire lock[curr];
  } else {
    acquire lock[curr];
    acquire lock[pred];
  }
}

procedure Unlock(pred: int, curr: int)
  modifies lock;
{
  release lock[curr];
  release lock[pred];
}

// Whether `pred` can be reached from the head, `curr` comes after it, and `value` belongs between them. The last can
// fail only because cells are used again.
procedure Validate(pred: int, curr: int, value: int) returns (valid: bool)
{
  var node: int;
  node := Head();
  while (key[node] <= key[pred]) {
    if (node == pred) {
      valid := next[pred] == curr && key[pred] < value && value <= key[curr];
      return;
    }
    node := next[node];
  }
  valid := false;
}

procedure Add(value: int)
  modifies next, key, lock, first_free, allocated;
{
  var pred, curr, node: int;
  var valid: bool;
  while (true) {
    call pred, curr := Find(value);
    call Lock(pred, curr);
    call valid := Validate(pred, curr, value);
    if (valid) {
      if (key[curr] != value) {
        call node := Allocate();
        key[node] := value;
        next[node] := curr;
        next[pred] := node;
      }
      call Unlock(pred, curr);
      return;
    }
    // Somebody was here in the meantime: try again.
    call Unlock(pred, curr);
  }
}

procedure Remove(value: int)
  modifies next, lock, first_free, next_free, allocated;
{
  var pred, curr: int;
  var valid: bool;
  while (true) {
    call pred, curr := Find(value);
    call Lock(pred, curr);
    call valid := Validate(pred, curr, value);
    if (valid) {
      if (key[curr] == value) {
        next[pred] := next[curr];
        call Free(curr);
      }
      call Unlock(pred, curr);
      return;
    }
    call Unlock(pred, curr);
  }
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
  var value, operations: int;
  operations := 0;
  while (flag && operations < 2) {
    operations := operations + 1;
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
