//@ run(found): explore --scheduler dfw --delays 0
//@ run(missed): explore --scheduler df --delays 2
//@ run(found): explore --scheduler df --delays 3
//@ verdict(found): unsafe
//@ verdict(missed): safe
//@ run(violated): async --delays 0
//@ run(violated): async --scheduler df --delays 3
//@ run(passed): async --scheduler df --delays 2
//@ verdict(violated): violation
//@ verdict(passed): none-within-bounds
// Fig. 4 of the async paper, with an assertion that fails after three rounds of the loop: DFW(0) gets there, and
// DF(K) needs as many delays as rounds.
var i: int;

procedure p() returns (r: int)
{
  r := i;
}

procedure main()
modifies i;
{
  var x: task;
  var y: int;
  i := 0;
  while (*) {
    async call x := p();
    y := wait x;
    i := i + 1;
  }
  assert i < 3; //~(found) assertion
}
