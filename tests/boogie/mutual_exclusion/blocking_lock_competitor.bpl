//@ run(explore_strong): explore --fairness strong
//@ run(explore_weak): explore --fairness weak
//@ run(live_strong): live --fairness strong --stem 1 --lasso 1
//@ run(live_weak): live --fairness weak
//@ verdict(explore_strong): safe
//@ verdict(explore_weak): unsafe
//@ verdict(live_strong): none-within-bounds
//@ verdict(live_weak): non-terminating
//@ kind(explore_weak): non-termination
//@ kind(live_weak): non-termination
// A lock that blocks: one thread enters once, the other again and again until the first has left. The lock is free
// again and again, so under strong fairness the first gets it. But it is never free from some point on, so under weak
// fairness the first can starve.
//
// The verdict of `raddle live` under strong fairness is here for one round of the stem and one of the lasso.
var m: mutex;
var inside: int;
var done: bool;

procedure Once()
  modifies m, inside, done;
{
  acquire m; // the first is blocked here
  inside := 1;
  assert inside == 1;
  release m;
  done := true;
}

procedure Competitor()
  modifies m, inside;
{
  while (!done) {
    acquire m;
    inside := 2;
    assert inside == 2;
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
