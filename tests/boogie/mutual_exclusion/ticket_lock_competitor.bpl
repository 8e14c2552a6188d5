//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// A ticket lock: one thread enters once, the other again and again until the first has left. The numbers wrap around,
// as those of a machine do, so states repeat. Numbers are served in order, so the first does not starve.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var next_ticket, serving: int;
var inside: int;
var done: bool;

procedure Lock()
  modifies next_ticket;
{
  var mine: int;
  mine, next_ticket := next_ticket, (next_ticket + 1) mod 4;
  while (serving != mine) {
  }
}

procedure Once()
  modifies next_ticket, serving, inside, done;
{
  call Lock();
  inside := 1;
  assert inside == 1;
  serving := (serving + 1) mod 4;
  done := true;
}

procedure Competitor()
  modifies next_ticket, serving, inside;
{
  while (!done) {
    call Lock();
    inside := 2;
    assert inside == 2;
    serving := (serving + 1) mod 4;
  }
}

procedure main()
  modifies next_ticket, serving, done;
{
  next_ticket := 0;
  serving := 0;
  done := false;
  async call Once();
  async call Competitor();
}
