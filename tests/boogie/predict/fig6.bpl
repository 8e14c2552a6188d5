// Figure 6 of the paper: the violation makes T1 take a branch that the run did not take, so it is in a prefix only.
//@ run: predict
//@ verdict: violations
//@ kind: atomicity

var x: int;

procedure main()
{
  var t1: task;
  var t2: task;
  async call t1 := T1();
  async call t2 := T2();
  wait t1;
  wait t2;
}

procedure T1()
{
  var a: int;
  assume {:transaction "begin"} true;
  x := 0;
  a := x + 1;
  assume {:transaction "end"} true;
  if (a == 1) {
    x := 2;
  }
}

procedure T2()
{
  var b: int;
  x := 3;
  b := x;
}
