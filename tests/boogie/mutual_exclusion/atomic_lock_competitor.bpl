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
// The program of blocking_lock_competitor.bpl with a lock made of an atomic block, which waits until the lock is free.
// The first thread starves under weak fairness and does not under strong fairness.
//
// The verdict of `raddle live` under strong fairness is here for one round of the stem and one of the lasso.
var held: bool;
var inside: int;
var done: bool;

procedure Lock()
  modifies held;
{
  atomic {
    assume !held; // the first is blocked here
    held := true;
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
