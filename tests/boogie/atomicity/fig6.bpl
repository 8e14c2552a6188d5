//@ run: explore --values
//@ verdict(explore): unsafe
//@ kind: assertion
// Fig. 6 of the atomicity paper: the violation t1 t5 t2 leads to a branch that the recorded run did not take.
var x: int;

procedure T1()
  modifies x;
{
  var a: int;
  x := 0;
  a := x + 1;
  assert {:msg "x was written between t1 and t2"} a == 1; //~ assertion
  if (a == 1) {
    x := 2;
  }
}

procedure T2()
  modifies x;
{
  var b: int;
  x := 3;
  b := x;
}

procedure main()
  modifies x;
{
  async call T1();
  async call T2();
}
