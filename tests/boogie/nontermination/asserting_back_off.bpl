//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The algorithm of asserting.bpl, simplified by mistake: the checker does not read while a change is under way, and the
// writer does not make a change while the checker reads. Then what is read fits together, and nobody has to try again.
// But who finds the other at work withdraws and tries again, and both can do so in step for ever. Each runs, so that is
// fair.

// What the assertion speaks of.
var x, y: int;

// Whether a change is under way.
var changing: bool;

// The program's own lock. The checker does not use it.
var writing: mutex;

// Whether an evaluation is under way, and whether the last one is over.
var evaluating: bool;
var finished: bool;

function {:inline} Evaluations(): int { 2 }

// Mistake: the writer gives way to the checker.
procedure BeginChange()
  modifies changing;
{
  changing := true;
  while (evaluating) { // the writer stays in this loop
    changing := false;
    changing := true;
  }
}

procedure EndChange()
  modifies changing;
{
  changing := false;
}

// ---- Writers ----

procedure Change()
  modifies x, y, changing, writing;
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
  modifies x, y, changing, writing;
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

// Mistake: and the checker gives way to the writer.
procedure BeginEvaluation()
  modifies evaluating;
{
  evaluating := true;
  while (changing) { // and the checker in this one
    evaluating := false;
    evaluating := true;
  }
}

procedure EndEvaluation()
  modifies evaluating;
{
  evaluating := false;
}

procedure Evaluate()
{
  var seen_x, seen_y: int;
  seen_x := x;
  seen_y := y;
  assert seen_x + seen_y == 1;
}

procedure Checker()
  modifies evaluating, finished;
{
  var evaluation: int;
  evaluation := 1;
  while (evaluation <= Evaluations()) {
    call BeginEvaluation();
    call Evaluate();
    call EndEvaluation();
    evaluation := evaluation + 1;
  }
  finished := true;
}

procedure main()
  modifies x, y, changing, writing, evaluating, finished;
{
  x := 0;
  y := 1;
  changing := false;
  evaluating := false;
  finished := false;
  async call Writer();
  async call Checker();
}
