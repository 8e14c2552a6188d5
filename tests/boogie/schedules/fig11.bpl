//@ run: explore
//@ run: verify
//@ verdict(verify): safe
//@ verdict(explore): safe
// Fig. 11 of the safe-schedules paper: the file system benchmark with its synchronization declared as assumes in
// atomic sections. Whoever writes the block has it allocated; whoever resets it finds it idle.
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
    if (!busy) {
      atomic {
        assume !busy;
        block := 0;
      }
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
