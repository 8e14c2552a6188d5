//@ run: explore
//@ run: verify
//@ verdict: safe
// Fig. 10 of the safe-schedules paper: a block of a file system that is protected by one of two mutexes, depending on
// whether it is busy.
var inode, busy: bool;
var block: int;
var m_inode, m_busy: mutex;

procedure allocate()
  modifies inode, busy, block, m_inode, m_busy;
{
  while (true) {
    acquire m_inode;
    if (!inode) {
      acquire m_busy;
      busy := true;
      release m_busy;
      inode := true;
    }
    block := 1;
    assert block == 1;
    release m_inode;
  }
}

procedure reset()
  modifies block, m_busy, m_inode, busy, inode;
{
  while (true) {
    acquire m_busy;
    if (!busy) {
      block := 0;
      assert block == 0;
    }
    release m_busy;
  }
}

procedure deallocate()
  modifies inode, busy, m_inode, m_busy;
{
  while (true) {
    acquire m_inode;
    acquire m_busy;
    inode := false;
    busy := false;
    release m_busy;
    release m_inode;
  }
}

procedure main()
  modifies inode, busy, block, m_inode, m_busy;
{
  inode := false;
  busy := false;
  async call allocate();
  async call reset();
  async call deallocate();
}
