//@ run: verify
//@ verdict: partially-safe
//@ kind: assertion
// Fig. 1 of the safe-schedules paper with a buffer of any size: producing and consuming in turns is safe, whatever the size.
const N: int;
axiom N > 0;
var count: int;
var m: mutex;

procedure T1()
  modifies count, m;
{
  while (true) {
    acquire m;
    assert {:msg "overflow"} count < N;
    count := count + 1;
    release m;
  }
}

procedure T2()
  modifies count, m;
{
  while (true) {
    acquire m;
    assert {:msg "underflow"} count > 0;
    count := count - 1;
    release m;
  }
}

procedure main()
  modifies count, m;
{
  count := 0;
  async call T1();
  async call T2();
}
