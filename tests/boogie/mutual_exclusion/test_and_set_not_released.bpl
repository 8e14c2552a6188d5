//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// A test-and-set lock for two threads, one of which returns early and forgets to give the lock back. If it was the
// first, the other spins for ever, alone. It can always run, so this is no deadlock.
var held: bool;
var balance: int;

procedure Withdraw(amount: int)
  modifies held, balance;
{
  var was_held: bool;
  was_held, held := held, true;
  while (was_held) { // the other stays in this loop
    was_held, held := held, true;
  }
  if (balance < amount) {
    return;
  }
  balance := balance - amount;
  held := false;
}

procedure main()
  modifies held, balance;
{
  held := false;
  balance := 1;
  async call Withdraw(1);
  async call Withdraw(2);
}
