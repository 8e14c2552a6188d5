//@ run: live
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination
// A thread waits for ever for an atomic block whose guard never holds.
var x, y: bool;
var g: bool;

procedure {:thread} A()
  modifies g, x, y;
{
  atomic {
    x := false;
    y := true;
  }
  while (true) {
    g := !g;
  }
}

procedure {:thread} B()
  modifies x;
{
  atomic {
    assume x && y;
    x := false;
  }
}
