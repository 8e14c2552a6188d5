//@ run: explore --values --max-threads 6 --scheduler dfw --delays 0
//@ run: explore --values --max-threads 6 --scheduler dfw --delays 1
//@ run: explore --values --max-threads 6 --scheduler dfw --delays 2
//@ run: explore --values --max-threads 6 --scheduler dfw --delays 3
//@ run: explore --values --max-threads 6 --scheduler dfw --delays 4
// Fig. 4 of the async paper: DFW(0) reaches every i; here up to the bound on threads.
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
}
