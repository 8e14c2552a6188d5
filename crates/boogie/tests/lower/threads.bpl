// Threads that are there from the start, and one that is called as well.
var x: int;

procedure {:thread} P()
  requires x == 0;
{
  x := x + 1;
  if (x < 2) { call P(); }
}

procedure {:thread} Q()
  requires x == 0;
{
  havoc x;
}
