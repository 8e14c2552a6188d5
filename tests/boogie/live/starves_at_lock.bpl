//@ run(weak): live --fairness weak
//@ run(strong): live --fairness strong
//@ run(any_order): explore --fairness weak
//@ verdict(weak): non-terminating
//@ verdict(strong): none-within-bounds
//@ verdict(any_order): unsafe
//@ kind(weak): non-termination
//@ kind(any_order): non-termination

// A wants a lock that B takes and gives back again and again. Under weak fairness A may find it held whenever it looks.

var m: mutex;
var done: bool;

procedure A()
{
  acquire m;
  release m;
  done := true;
}

procedure B()
{
  while (!done) {
    acquire m;
    release m;
  }
}

procedure main()
{
  done := false;
  async call A();
  async call B();
}
