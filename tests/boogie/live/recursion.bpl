//@ run: live
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination
// The lasso goes into a recursive procedure and out of it again.
var g: int;

procedure P(n: int) returns (r: int)
  modifies g;
{
  g := 1 - g;
  r := 0;
  if (n > 0) {
    call r := P(n - 1);
  }
}

procedure main()
  modifies g;
{
  var r: int;
  g := 0;
  while (true) {
    call r := P(1);
  }
}
