//@ run: live
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination
// One thread keeps a lock and runs for ever; the other one waits for the lock, which is fair.
var m: mutex;
var g: bool;

procedure {:thread} A()
  modifies m, g;
{
  acquire m;
  while (true) {
    g := !g;
  }
}

procedure {:thread} B()
  modifies m;
{
  acquire m;
  release m;
}
