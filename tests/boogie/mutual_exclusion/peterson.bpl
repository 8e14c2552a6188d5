//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Peterson's algorithm for two threads, each of which enters twice. Whoever came last gives way, so no thread spins for
// ever: there is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var wants: [int]bool;
var last: int;
var inside: int;

procedure Enter(me: int, other: int)
  modifies wants, last, inside;
{
  var entries: int;
  entries := 0;
  while (entries < 2) {
    wants[me] := true;
    last := me;
    while (wants[other] && last == me) {
    }
    inside := me;
    assert inside == me;
    wants[me] := false;
    entries := entries + 1;
  }
}

procedure main()
  modifies wants, last, inside;
{
  wants[0] := false;
  wants[1] := false;
  last := 0;
  async call Enter(0, 1);
  async call Enter(1, 0);
}
