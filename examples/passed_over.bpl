// The greedy task gives the lock back each time, and takes it again before anybody else does.
var busy: bool;
var wants: bool;
var has: bool;

procedure main()
  modifies busy, wants, has;
{
  busy, wants, has := false, false, false;
  async call greedy();
  async call patient();
}

procedure greedy()
  modifies busy;
{
  while (true) {
    atomic { assume !busy; busy := true; }
    busy := false;
  }
}

procedure patient()
  modifies busy, wants, has;
{
  wants := true;
  atomic { assume !busy; busy := true; }
  has := true;
  busy := false;
}
