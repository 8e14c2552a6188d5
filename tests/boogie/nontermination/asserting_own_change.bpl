//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The algorithm of asserting.bpl with an asserted expression that keeps its last value in a variable. To evaluate it is
// a change, which makes the evaluation stale, so the checker starts again, for ever and all alone. The limit on
// attempts is no help, because it counts only those that find somebody else at work.

// What the assertion speaks of.
var x, y: int;

// The asserted expression keeps its last value here. This is a variable like any other, so changes of it are
// registered.
var sum: int;

// Whether a change is under way, and whether there was one since the checker looked.
var changing: bool;
var stale: bool;

// The program's own lock. The checker does not use it.
var writing: mutex;

// The evaluation for which the checker wants help, and the one for which it last got it, with the values.
var wanted: int;
var given: int;
var given_x, given_y: int;

// Whether an evaluation is under way.
var evaluating: bool;

function {:inline} Evaluations(): int { 2 }
function {:inline} Attempts(): int { 2 }

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

// Called after a change, with the lock: nobody else writes.
procedure Help()
  modifies given, given_x, given_y;
{
  var evaluation: int;
  evaluation := wanted;
  if (evaluation != given) {
    given_x := x;
    given_y := y;
    given := evaluation;
  }
}

procedure Change()
  modifies x, y, changing, stale, writing, given, given_x, given_y;
{
  acquire writing;
  call BeginChange();
  x := 1 - x;
  y := 1 - y;
  call EndChange();
  call Help();
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

// The program makes one change, or none.
procedure Writer()
  modifies x, y, changing, stale, writing, given, given_x, given_y;
{
  if (*) {
    call Change();
    call GiveTime();
  }
}

// ---- The checker ----

// The asserted expression.
procedure Sum() returns (result: int)
  modifies sum, changing, stale;
{
  var seen_x: int;
  seen_x := x;
  result := seen_x + y;
  call BeginChange();
  sum := result;
  call EndChange();
}

// One attempt to evaluate it on values that fit together. Mistake: the evaluation itself counts as a change.
procedure Attempt() returns (disturbed: bool, valid: bool, result: int)
  modifies sum, changing, stale;
{
  stale := false;
  disturbed := changing;
  if (disturbed) {
    valid := false;
    return;
  }
  call result := Sum();
  valid := !stale;
}

// Fig. 3 (c) again: wait for help, but not for ever.
procedure AskForHelp(evaluation: int) returns (valid: bool, result: int)
  modifies wanted;
{
  var timeout: bool;
  wanted := evaluation;
  timeout := false;
  while (given != evaluation && !timeout) {
    if {:fair} (*) {
      timeout := true;
    }
  }
  valid := !timeout;
  if (valid) {
    result := given_x + given_y;
  }
}

// Only an attempt that finds a change under way counts: after any other change the next attempt should do.
procedure Evaluate(evaluation: int)
  modifies sum, changing, stale, wanted;
{
  var attempts, result: int;
  var disturbed, valid: bool;
  attempts := 0;
  valid := false;
  while (!valid && attempts < Attempts()) { // the checker stays in this loop
    call disturbed, valid, result := Attempt();
    if (disturbed) {
      attempts := attempts + 1;
    }
  }
  if (!valid) {
    call valid, result := AskForHelp(evaluation);
  }
  if (valid) {
    assert result == 1;
  }
}

procedure Checker()
  modifies sum, changing, stale, wanted, evaluating;
{
  var evaluation: int;
  evaluation := 1;
  while (evaluation <= Evaluations()) {
    evaluating := true;
    call Evaluate(evaluation);
    evaluating := false;
    evaluation := evaluation + 1;
  }
}

procedure main()
  modifies x, y, sum, changing, stale, writing, wanted, given, given_x, given_y, evaluating;
{
  x := 0;
  y := 1;
  sum := 1;
  changing := false;
  stale := false;
  wanted := 0;
  given := 0;
  given_x := 0;
  given_y := 0;
  evaluating := false;
  async call Writer();
  async call Checker();
}
