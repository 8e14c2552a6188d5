//@ run: explore --values --max-threads 6 --scheduler df --delays 0
//@ run: explore --values --max-threads 6 --scheduler df --delays 1
//@ run: explore --values --max-threads 6 --scheduler df --delays 2
//@ run: explore --values --max-threads 6 --scheduler df --delays 3
//@ run: explore --values --max-threads 6 --scheduler df --delays 4
// Fig. 4 of the async paper: DF(K) gets to i = K and no further, for every K. (The bound on threads cuts nothing
// that these delays could reach.)
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
