// The variant of Figure 1 (b) without signal and wait, in which the violation is real.
//@ run(symbolic): predict
//@ verdict(symbolic): violations
//@ kind(symbolic): atomicity
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

procedure T1()
{
  var a: int;
  assume {:transaction "begin"} true;
  x := 1;
  a := x + 1;
  assume {:transaction "end"} true;
}

procedure T2()
{
  x := 3;
}
