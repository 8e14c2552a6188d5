//@ run: live
//@ run: explore --check non-termination --int-range 0..2 --max-frames 20
//@ verdict(live): non-terminating
//@ kind(live): non-termination
//@ verdict(explore): unknown
// A procedure calls itself until it finds the flag set. Whoever sets it takes it back before that is seen, again and
// again. The stack grows for ever, so no state comes twice: the explorer, which looks for states that do, never ends.
var flag: bool;
var through: bool;

procedure await()
{
  if (!flag) {
    call await();
  }
}

procedure {:thread} waiter()
  modifies through;
{
  call await();
  through := true;
}

procedure {:thread} setter()
  modifies flag;
{
  while (!through) {
    flag := true;
    flag := false;
  }
}
