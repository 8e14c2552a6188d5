//@ run: explore
//@ run: verify
//@ verdict(verify): partially-safe
//@ verdict(explore): unsafe
//@ kind: assertion
// Fig. 1 of the safe-schedules paper with a buffer of two: the producer overflows and the consumer underflows.
const N: int;
axiom N == 2;
var count: int;
var mutex_: mutex;

procedure produce()
  modifies count, mutex_;
{
  acquire mutex_;
  if (count < N) {
    count := count + 1;
  } else {
    assert {:msg "overflow"} false;
  }
  release mutex_;
}

procedure consume()
  modifies count, mutex_;
{
  acquire mutex_;
  if (count > 0) {
    count := count - 1;
  } else {
    assert {:msg "underflow"} false; //~ assertion
  }
  release mutex_;
}

procedure T1()
  modifies count, mutex_;
{
  while (true) {
    call produce();
  }
}

procedure T2()
  modifies count, mutex_;
{
  while (true) {
    call consume();
  }
}

procedure main()
  modifies count, mutex_;
{
  count := 0;
  async call T1();
  async call T2();
}
