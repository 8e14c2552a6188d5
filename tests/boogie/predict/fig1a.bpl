// Figure 1 (a) of the paper: ignoring data leads to a bogus error. T2 comes to its write only after T1's.
//@ run(symbolic): predict
//@ verdict(symbolic): none
//@ run(locks): predict --method lockset
//@ verdict(locks): unknown

var x: int;

procedure main()
{
  var t1: task;
  var t2: task;
  x := 0;
  async call t1 := T1();
  async call t2 := T2();
  wait t1;
  wait t2;
}

procedure {:transaction} T1()
{
  var a: int;
  a := x;
  x := a + 1;
}

procedure T2()
{
  var b: int;
  b := x;
  if (b > 0) {
    x := 5;
  }
}
