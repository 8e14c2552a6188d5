//@ run: live --stem 1 --lasso 1
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): none-within-bounds
//@ verdict(explore): safe
// Frames that all look alike are returned from. The newest two are the same before and after each return, and yet there
// are only so many: a stack that gets lower is nothing that repeats.
var left: int;

procedure down()
  modifies left;
{
  var seen: int;
  if (left > 0) {
    left := left - 1;
    call down();
  }
  seen := left;
}

procedure main()
  modifies left;
{
  left := 2;
  call down();
}
