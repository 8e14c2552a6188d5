//@ run: explore --values
//@ verdict(explore): unsafe
//@ kind: assertion
// Fig. 1 (a) of the atomicity paper with b >= 0 in t4: now the violation is real.
var x: int;

procedure T1()
  modifies x;
{
  var a: int;
  a := x;
  assert {:msg "x was written between t1 and t2"} x == a; //~ assertion
  x := a + 1;
}

procedure T2()
  modifies x;
{
  var b: int;
  b := x;
  if (b >= 0) {
    x := 5;
  }
}

procedure main()
  modifies x;
{
  x := 0;
  async call T1();
  async call T2();
}
