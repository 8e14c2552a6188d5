//@ run: live
//@ verdict: non-terminating
//@ kind: non-termination
// Whoever is in `again` holds the lock, so wherever the lasso begins, one of the two is in `pass`, which returns in the
// lasso. The frame of its caller has to be the same each time, too, but not what is below that.
var lock: mutex;
var stop: bool;

procedure pass()
{
  release lock;
  acquire lock;
}

procedure again(n: int)
{
  if (!stop) {
    call pass();
    call again(n);
  }
}

procedure {:thread} left()
{
  acquire lock;
  call again(0);
  release lock;
}

procedure {:thread} right()
{
  acquire lock;
  call again(0);
  release lock;
}
