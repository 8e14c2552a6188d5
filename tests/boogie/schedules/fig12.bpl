//@ run: explore
//@ run: verify
//@ verdict(verify): safe
//@ verdict(explore): safe
// Fig. 12 of the safe-schedules paper: as Fig. 11, but the second thread may not go round without resetting the block.
var inode, busy: bool;
var block: int;

procedure {:thread} T1()
  modifies inode, busy, block;
{
  while (true) {
    if (!inode) {
      busy := true;
      inode := true;
    }
    atomic {
      assume inode && busy;
      block := 1;
      assert inode && busy;
    }
  }
}

procedure {:thread} T2()
  modifies block;
{
  while (true) {
    atomic {
      assume !busy;
      block := 0;
    }
  }
}

procedure {:thread} T3()
  modifies inode, busy;
{
  while (true) {
    atomic {
      assume inode == busy;
      inode := false;
      busy := false;
    }
  }
}
