//@ run: live --stem 1 --lasso 1 --unroll 3
//@ verdict: none-within-bounds
// As growing_stack_returns, but the frames that are returned to count the calls: no two are the same, although the newest
// frame is.
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
    call again(n + 1);
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
