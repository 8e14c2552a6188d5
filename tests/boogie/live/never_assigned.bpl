//@ run: live
//@ verdict(live): non-terminating
//@ kind: non-termination
// What nobody assigns or looks at is copied over and over.
var x, y: int;

procedure T()
  modifies y;
{
  while (true)
  {
    y := x;
  }
}

procedure main()
  modifies y;
{
  y := 17;
  async call T();
}
