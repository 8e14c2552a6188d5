//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// A test-and-set lock: one thread enters once, the other for ever. When the first has left, each round of the other
// passes a progress mark, and that is no livelock. Before, it does not, and the first can starve: it finds the lock
// taken each time it looks.
var held: bool;
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
  modifies held, done;
{
  call Lock();
  held := false;
  done := true;
}

procedure Competitor()
  modifies held;
{
  while (true) {
    call Lock();
    held := false;
    if (done) {
      assume {:progress} true;
    }
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
