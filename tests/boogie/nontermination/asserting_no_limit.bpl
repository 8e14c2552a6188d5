//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The algorithm of asserting.bpl without limit and without help: the checker tries until it has read values that fit
// together. There is a fair execution in which it never does: the writer makes a change in each attempt.

// What the assertion speaks of.
var x, y: int;

// Whether a change is under way, and whether there was one since the checker looked.
var changing: bool;
var stale: bool;

// The program's own lock. The checker does not use it.
var writing: mutex;

// Whether an evaluation is under way, and whether the last one is over.
var evaluating: bool;
var finished: bool;

function {:inline} Evaluations(): int { 2 }

procedure BeginChange()
  modifies changing, stale;
{
  changing := true;
  stale := true;
}

procedure EndChange()
  modifies changing;
{
  changing := false;
}

// ---- Writers ----

procedure Change()
  modifies x, y, changing, stale, writing;
{
  acquire writing;
  call BeginChange();
  x := 1 - x;
  y := 1 - y;
  call EndChange();
  release writing;
}

// Fig. 3 (c): wait until the evaluation is over, but not for ever.
procedure GiveTime()
{
  var timeout: bool;
  timeout := false;
  while (evaluating && !timeout) {
    if {:fair} (*) {
      timeout := true;
    }
  }
}

// The program may end at any time.
procedure Writer()
  modifies x, y, changing, stale, writing;
{
  while (!finished) {
    if (*) {
      return;
    }
    call Change();
    call GiveTime();
  }
}

// ---- The checker ----

// One attempt to read values that fit together.
procedure Read() returns (valid: bool, seen_x: int, seen_y: int)
  modifies stale;
{
  stale := false;
  if (changing) {
    valid := false;
    return;
  }
  seen_x := x;
  seen_y := y;
  valid := !stale;
}

procedure Evaluate()
  modifies stale;
{
  var seen_x, seen_y: int;
  var valid: bool;
  valid := false;
  while (!valid) { // the checker stays in this loop
    call valid, seen_x, seen_y := Read();
  }
  assert seen_x + seen_y == 1;
}

procedure Checker()
  modifies stale, evaluating, finished;
{
  var evaluation: int;
  evaluation := 1;
  while (evaluation <= Evaluations()) {
    evaluating := true;
    call Evaluate();
    evaluating := false;
    evaluation := evaluation + 1;
  }
  finished := true;
}

procedure main()
  modifies x, y, changing, stale, writing, evaluating, finished;
{
  x := 0;
  y := 1;
  changing := false;
  stale := false;
  evaluating := false;
  finished := false;
  async call Writer();
  async call Checker();
}
