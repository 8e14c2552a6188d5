//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// A test-and-set lock for two threads, each of which enters twice. A thread spins only while the other is inside, and
// the other is inside twice at most. There is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var held: bool;
var inside: int;

procedure Enter(me: int)
  modifies held, inside;
{
  var entries: int;
  var was_held: bool;
  entries := 0;
  while (entries < 2) {
    was_held, held := held, true;
    while (was_held) {
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
