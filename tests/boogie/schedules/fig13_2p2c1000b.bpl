//@ run(first): verify --until first-schedule
//@ run(all): verify
//@ verdict(all): safe
//@ verdict(first): unknown
//@ exit: 0
// Fig. 13 of the safe-schedules paper: 2 producers and 2 consumers of a stack of 1000.
var top: int;
var m: mutex;

procedure push() returns (overflow: bool)
  modifies top;
{
  overflow := top == 1000;
  if (!overflow) {
    top := top + 1;
  }
}

procedure pop() returns (underflow: bool)
  modifies top;
{
  underflow := top == 0;
  if (!underflow) {
    top := top - 1;
  }
}

procedure producer()
  modifies top, m;
{
  var overflow: bool;
  while (true) {
    acquire m;
    if (top != 1000) {
      call overflow := push();
      assert {:msg "overflow"} !overflow;
    }
    release m;
  }
}

procedure consumer()
  modifies top, m;
{
  var underflow: bool;
  while (true) {
    acquire m;
    if (top > 0) {
      call underflow := pop();
      assert {:msg "underflow"} !underflow;
    }
    release m;
  }
}

procedure main()
  modifies top, m;
{
  top := 0;
  async call producer();
  async call producer();
  async call consumer();
  async call consumer();
}
