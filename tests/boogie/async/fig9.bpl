//@ run(found): explore --scheduler dfw --delays 0
//@ run(missed): explore --scheduler df --delays 4
//@ run(found): explore --scheduler df --delays 5
//@ verdict(found): unsafe
//@ verdict(missed): safe
//@ run(violated): async --delays 0
//@ run(violated): async --scheduler df --delays 5
//@ run(passed): async --scheduler df --delays 4
//@ verdict(violated): violation
//@ verdict(passed): none-within-bounds
// P(5) of the async paper (section 7, Fig. 9): five calls, each awaited before the next, and then a violation. DFW(K)
// needs no delay, and DF(K) one for each call.
procedure p()
{
}

procedure main()
{
  var t: task;
  async call t := p();
  wait t;
  async call t := p();
  wait t;
  async call t := p();
  wait t;
  async call t := p();
  wait t;
  async call t := p();
  wait t;
  assert false; //~(found) assertion
}
