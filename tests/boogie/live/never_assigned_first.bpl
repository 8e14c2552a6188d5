//@ run: live --stem 1 --lasso 1
//@ verdict(live): non-terminating
//@ kind: non-termination
// What nobody assigns or looks at may be what is assigned in the lasso.
var x, y: int;

procedure main()
  modifies y;
{
  y := x;
  while (true)
  {
    y := 17;
  }
}
