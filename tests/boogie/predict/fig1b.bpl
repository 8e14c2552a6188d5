// Figure 1 (b) of the paper: ignoring synchronization leads to a bogus error. T2 waits until T1 has signalled. The signal
// is modelled as in Figure 3: a flag that the waiting thread resets in the moment in which it goes on.
//@ run(symbolic): predict
//@ verdict(symbolic): none
//@ run(locks): predict --method lockset
//@ verdict(locks): unknown

var x: int;
var c: bool;

procedure main()
{
  var t1: task;
  var t2: task;
  x := 0;
  c := false;
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
  c := true;
}

procedure T2()
{
  atomic {
    assume c;
    c := false;
  }
  x := 3;
}
