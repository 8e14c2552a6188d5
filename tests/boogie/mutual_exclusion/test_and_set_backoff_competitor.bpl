//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// A test-and-set lock with backoff: one thread enters once, the other again and again until the first has left. Backoff
// does not help: the first can come back each time when the lock has just been taken again, and starves.
var held: bool;
var inside: int;
var done: bool;

procedure Lock()
  modifies held;
{
  var delay, left: int;
  var was_held: bool;
  delay := 1;
  was_held, held := held, true;
  while (was_held) { // the first stays in this loop
    left := delay;
    while (left > 0) {
      left := left - 1;
    }
    if (delay < 2) {
      delay := 2 * delay;
    }
    was_held, held := held, true;
  }
}

procedure Once()
  modifies held, inside, done;
{
  call Lock();
  inside := 1;
  assert inside == 1;
  held := false;
  done := true;
}

procedure Competitor()
  modifies held, inside;
{
  while (!done) {
    call Lock();
    inside := 2;
    assert inside == 2;
    held := false;
  }
}

procedure main()
  modifies held, done;
{
  held := false;
  done := false;
  async call Once();
  async call Competitor();
}
