//@ run: explore
//@ run: verify
//@ verdict(verify): partially-safe
//@ verdict(explore): unsafe
//@ kind: assertion
// Fig. 9 of the safe-schedules paper with a buffer of one: two producers and two consumers check the free space
// before they acquire the mutex.
var count: int;
var m: mutex;

procedure producer()
  modifies count, m;
{
  while (true) {
    if (count < 1) {
      acquire m;
      assert {:msg "overflow"} count < 1;
      count := count + 1;
      release m;
    }
  }
}

procedure consumer()
  modifies count, m;
{
  while (true) {
    if (count > 0) {
      acquire m;
      assert {:msg "underflow"} count > 0;
      count := count - 1;
      release m;
    }
  }
}

procedure main()
  modifies count, m;
{
  count := 0;
  async call producer();
  async call producer();
  async call consumer();
  async call consumer();
}
