//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// A test-and-set lock with backoff for two threads, each of which enters twice. A thread that finds the lock taken
// waits for a while, and longer the next time, up to a limit. There is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var held: bool;
var inside: int;

procedure Enter(me: int)
  modifies held, inside;
{
  var entries, delay, left: int;
  var was_held: bool;
  entries := 0;
  while (entries < 2) {
    delay := 1;
    was_held, held := held, true;
    while (was_held) {
      left := delay;
      while (left > 0) {
        left := left - 1;
      }
      if (delay < 2) {
        delay := 2 * delay;
      }
      was_held, held := held, true;
    }
    inside := me;
    assert inside == me;
    held := false;
    entries := entries + 1;
  }
}

procedure main()
  modifies held;
{
  held := false;
  async call Enter(1);
  async call Enter(2);
}
