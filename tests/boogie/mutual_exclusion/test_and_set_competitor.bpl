//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// A test-and-set lock: one thread enters once, the other again and again until the first has left. The first starves:
// it can find the lock taken each time it looks. It spins and does not block, so strong fairness is no help.
var held: bool;
var inside: int;
var done: bool;

procedure Lock()
  modifies held;
{
  var was_held: bool;
  was_held, held := held, true;
  while (was_held) { // the first stays in this loop
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
