//! Small programs that go wrong, or do not.

/// Two tasks add without a lock.
pub(crate) const LOST_UPDATE: &str = "var counter: int;
procedure add()
modifies counter;
{
  var seen: int;
  seen := counter;
  counter := seen + 1;
}
procedure main()
modifies counter;
{
  var a: task;
  var b: task;
  counter := 0;
  async call a := add();
  async call b := add();
  wait a;
  wait b;
  assert counter == 2;
}
";

/// The same with a lock.
pub(crate) const LOCKED_UPDATE: &str = "var counter: int;
var m: mutex;
procedure add()
modifies counter;
{
  acquire m;
  counter := counter + 1;
  release m;
}
procedure main()
modifies counter;
{
  var a: task;
  var b: task;
  counter := 0;
  async call a := add();
  async call b := add();
  wait a;
  wait b;
  assert counter == 2;
}
";

/// Two locks in two orders.
pub(crate) const DEADLOCK: &str = "var a: mutex;
var b: mutex;
procedure {:thread} left() {
  acquire a;
  acquire b;
  release b;
  release a;
}
procedure {:thread} right() {
  acquire b;
  acquire a;
  release a;
  release b;
}
";

/// Two threads that politely give way to each other for ever.
pub(crate) const LIVELOCK: &str = "var a: bool;
var b: bool;
procedure {:thread} left()
modifies a;
{
  a := true;
  while (b) {
    a := false;
    a := true;
  }
  a := false;
}
procedure {:thread} right()
modifies b;
{
  b := true;
  while (a) {
    b := false;
    b := true;
  }
  b := false;
}
";

/// Two threads write without order.
pub(crate) const RACE: &str = "var x: int;
procedure {:thread} one()
modifies x;
{
  x := 1;
}
procedure {:thread} two()
modifies x;
{
  x := 2;
}
";

/// Safe as far as the range of integers goes.
pub(crate) const ARBITRARY: &str = "var x: int;
procedure main()
modifies x;
{
  havoc x;
  assert x < 1000;
}
";

/// Far more states than anybody waits for.
pub(crate) const HUGE: &str = "var a: int;
var b: int;
var c: int;
procedure worker()
modifies a, b, c;
{
  havoc a;
  havoc b;
  havoc c;
  assert a + b + c < 1000000000;
}
procedure main()
modifies a, b, c;
{
  async call worker();
  async call worker();
  async call worker();
}
";
