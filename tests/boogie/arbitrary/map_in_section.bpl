//@ run: explore
//@ verdict(explore): unknown
// Which cells a section waits for inside cannot be told beforehand: the answer is unknown, not safe.
var ready: [int]bool;
var x: int;

procedure main()
  modifies x;
{
  x := 0;
  atomic { x := 1; assume ready[x]; }
}
