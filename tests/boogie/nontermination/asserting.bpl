//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// An assertion that is checked continuously while the program runs, after the third example of the non-termination
// paper, which does not print the algorithm; this is one like it. Writers change `x` and `y` and keep `x + y == 1`. A
// checker evaluates that expression again and again. It never blocks a writer:
//
// - Writers register each change: they say that they are at work, and they mark what the checker has read so far as
//   stale. The checker removes the mark, reads the variables if no change is under way, and looks whether the mark is
//   back. If so, the values may not fit together and are of no use. (The mark takes the place of a version number that
//   the checker reads before and after. Such numbers only grow, and no state would repeat.)
// - After a few attempts the checker asks for help: the next writer copies `x` and `y` for it, right after its change.
//   If no writer comes, a timer runs down, and this evaluation is skipped.
// - A writer that has made its change gives the checker some time, also with a timer, and then goes on.
//
// The timers run down some day (`if {:fair} (*)`), so every evaluation ends, and with the last one the program. There
// is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso, and for loops that are gone
// round at most twice.

// What the assertion speaks of.
var x, y: int;

// Whether a change is under way, and whether there was one since the checker looked.
var changing: bool;
var stale: bool;

// The program's own lock. The checker does not use it.
var writing: mutex;

// The evaluation for which the checker wants help, and the one for which it last got it, with the values.
var wanted: int;
var given: int;
var given_x, given_y: int;

// Whether an evaluation is under way, and whether the last one is over.
var evaluating: bool;
var finished: bool;

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

// The program may end at any time.
procedure Writer()
  modifies x, y, changing, stale, writing, given, given_x, given_y;
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

// Fig. 3 (c) again: wait for help, but not for ever.
procedure AskForHelp(evaluation: int) returns (valid: bool, seen_x: int, seen_y: int)
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
    seen_x := given_x;
    seen_y := given_y;
  }
}

procedure Evaluate(evaluation: int)
  modifies stale, wanted;
{
  var attempts, seen_x, seen_y: int;
  var valid: bool;
  attempts := 0;
  valid := false;
  while (!valid && attempts < Attempts()) {
    call valid, seen_x, seen_y := Read();
    attempts := attempts + 1;
  }
  if (!valid) {
    call valid, seen_x, seen_y := AskForHelp(evaluation);
  }
  if (valid) {
    assert seen_x + seen_y == 1;
  }
}

procedure Checker()
  modifies stale, wanted, evaluating, finished;
{
  var evaluation: int;
  evaluation := 1;
  while (evaluation <= Evaluations()) {
    evaluating := true;
    call Evaluate(evaluation);
    evaluating := false;
    evaluation := evaluation + 1;
  }
  finished := true;
}

procedure main()
  modifies x, y, changing, stale, writing, wanted, given, given_x, given_y, evaluating, finished;
{
  x := 0;
  y := 1;
  changing := false;
  stale := false;
  wanted := 0;
  given := 0;
  given_x := 0;
  given_y := 0;
  evaluating := false;
  finished := false;
  async call Writer();
  async call Checker();
}
