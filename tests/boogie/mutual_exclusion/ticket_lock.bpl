//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// A ticket lock for two threads, each of which enters twice: a thread draws a number and spins until it is served.
// There is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var next_ticket, serving: int;
var inside: int;

procedure Enter(me: int)
  modifies next_ticket, serving, inside;
{
  var entries, mine: int;
  entries := 0;
  while (entries < 2) {
    mine, next_ticket := next_ticket, next_ticket + 1;
    while (serving != mine) {
    }
    inside := me;
    assert inside == me;
    serving := serving + 1;
    entries := entries + 1;
  }
}

procedure main()
  modifies next_ticket, serving, inside;
{
  next_ticket := 0;
  serving := 0;
  async call Enter(1);
  async call Enter(2);
}
