//@ run(assertion): explore --check assertion
//@ verdict(assertion): safe
//@ run(deadlock): explore --check deadlock
//@ verdict(deadlock): unsafe
// Fig. 1 (b) of the atomicity paper: signal and wait keep t5 after t2. The wait is modelled as in Fig. 3: it resets
// the condition, then waits for it, so a signal that comes before is lost and the second thread stays blocked.
var x, c: int;

procedure T1()
  modifies x, c;
{
  var a: int;
  x := 1;
  a := x + 1;
  assert {:msg "x was written between t1 and t2"} a == 2;
  c := 1;
}

procedure T2()
  modifies x, c;
{
  c := 0;
  atomic { assume c > 0; c := 0; } //~(deadlock) deadlock
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
