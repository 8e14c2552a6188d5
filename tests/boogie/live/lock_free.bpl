//@ run: live
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): none-within-bounds
//@ verdict(explore): safe
// A thread that gives its lock back now and then cannot keep the other one from it for ever, and ends once that one has
// had it.
var m: mutex;
var g: bool;

procedure A()
  modifies m;
{
  var done: bool;
  done := false;
  while (!done) {
    acquire m;
    done := g;
    release m;
  }
}

procedure B()
  modifies m, g;
{
  acquire m;
  g := true;
  release m;
}

procedure main()
  modifies m, g;
{
  g := false;
  async call A();
  async call B();
}
