//@ run: live --lasso 1 --unroll 6
//@ run: explore --check non-termination --int-range 0..5
//@ verdict(live): none-within-bounds
//@ verdict(explore): safe
// Each call looks like the one before, but for the number of tries that are left.
var flag: bool;

procedure await(tries: int)
{
  if (!flag && tries > 0) {
    call await(tries - 1);
  }
}

procedure {:thread} waiter()
{
  call await(4);
}

procedure {:thread} setter()
  modifies flag;
{
  flag := false;
  flag := true;
  flag := false;
}
