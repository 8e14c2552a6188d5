//@ run: explore --values --check assertion
//@ verdict(explore): safe
// Fig. 2 (b) of the atomicity paper: the concrete events of the second example.
var x, c: int;

procedure T1()
  modifies x, c;
{
  x := 1;
  assume x == 1;
  c := 1;
}

procedure T2()
  modifies x, c;
{
  c := 0;
  atomic { assume c > 0; c := 0; }
  x := 3;
}

procedure main()
  modifies x, c;
{
  x := 0;
  c := 0;
  async call T1();
  async call T2();
}
