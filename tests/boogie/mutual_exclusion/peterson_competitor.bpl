//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong --stem 1 --lasso 1
//@ run: live --fairness weak --stem 1 --lasso 1
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Peterson's algorithm: one thread enters once, the other again and again until the first has left. The competitor can
// overtake at most once, because it then is the one that came last. So the first does not starve.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var first_wants, second_wants: bool;
var second_last: bool;
var inside: int;
var done: bool;

procedure Once()
  modifies first_wants, second_last, inside, done;
{
  first_wants := true;
  second_last := false;
  while (second_wants && !second_last) {
  }
  inside := 1;
  assert inside == 1;
  first_wants := false;
  done := true;
}

procedure Competitor()
  modifies second_wants, second_last, inside;
{
  while (!done) {
    second_wants := true;
    second_last := true;
    while (first_wants && second_last) {
    }
    inside := 2;
    assert inside == 2;
    second_wants := false;
  }
}

procedure main()
  modifies first_wants, second_wants, second_last, done;
{
  first_wants := false;
  second_wants := false;
  second_last := false;
  done := false;
  async call Once();
  async call Competitor();
}
