//@ run(bounded): async --delays 0
//@ run(further): async --delays 0 --unroll 25
//@ verdict(bounded): none-within-bounds
//@ verdict(further): violation
// Fig. 4 of the async paper with an assertion that only the twentieth round of the loop breaks.
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
  assert i < 20;
}
