// Two threads take two locks, in two orders. When each holds its first, neither gets its second.

var a: mutex;
var b: mutex;

procedure {:thread} left()
{
  acquire a;
  acquire b;
  release b;
  release a;
}

procedure {:thread} right()
{
  acquire b;
  acquire a;
  release a;
  release b;
}
