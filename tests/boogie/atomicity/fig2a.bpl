//@ run: explore --values
//@ verdict(explore): safe
// Fig. 2 (a) of the atomicity paper: the concrete events of the first example, as programs that accept only the
// values that were observed. The one interleaving that is left is the observed one.
var x: int;

procedure T1()
  modifies x;
{
  assume x == 0;
  x := 1;
}

procedure T2()
  modifies x;
{
  assume x == 1;
  x := 5;
}

procedure main()
  modifies x;
{
  x := 0;
  async call T1();
  async call T2();
}
