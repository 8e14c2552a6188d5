//@ run(weak): live --fairness weak --responds "wants ~> has"
//@ run(strong): live --fairness strong --responds "wants ~> has"
//@ run(explored): explore --fairness weak --responds "wants ~> has"
//@ run(exhausted): explore --fairness strong --responds "wants ~> has"
//@ verdict(weak): non-terminating
//@ verdict(strong): none-within-bounds
//@ verdict(explored): unsafe
//@ verdict(exhausted): safe
//@ kind(weak): non-termination
//@ kind(explored): non-termination
// The lock is free again and again, but never for good: under weak fairness whoever waits for it may be passed over.
var busy: bool;
var wants: bool;
var has: bool;

procedure main()
  modifies busy, wants, has;
{
  busy, wants, has := false, false, false;
  async call greedy();
  async call patient();
}

procedure greedy()
  modifies busy;
{
  while (true) {
    atomic { assume !busy; busy := true; }
    busy := false;
  }
}

procedure patient()
  modifies busy, wants, has;
{
  wants := true;
  atomic { assume !busy; busy := true; }
  has := true;
  busy := false;
}
