//@ run: explore
//@ verdict(explore): unsafe
//@ kind: assertion
// Fig. 1 (b) of the atomicity paper without the signal and the wait: the violation is real.
var x: int;

procedure T1()
  modifies x;
{
  var a: int;
  x := 1;
  a := x + 1;
  assert {:msg "x was written between t1 and t2"} a == 2; //~ assertion
}

procedure T2()
  modifies x;
{
  x := 3;
}

procedure main()
  modifies x;
{
  x := 0;
  async call T1();
  async call T2();
}
