//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The program of blocking_lock_competitor.bpl with a thread that tries again and again to take the lock, and does not
// block. It can always run, and runs: strong fairness is no help, and it starves.
var m: mutex;
var done: bool;

procedure Once()
  modifies m, done;
{
  var got: bool;
  got := tryacquire m;
  while (!got) { // the first stays in this loop
    got := tryacquire m;
  }
  release m;
  done := true;
}

procedure Competitor()
  modifies m;
{
  while (!done) {
    acquire m;
    release m;
  }
}

procedure main()
  modifies done;
{
  done := false;
  async call Once();
  async call Competitor();
}
