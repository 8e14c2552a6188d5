// A join that takes results is for threads that have such results.
procedure ULTIMATE.start()
{
  var i: int;
  var b: bool;
  fork 1 number();
  fork 1 truth();
  join 1 assign i;
  join 1 assign b;
  assert i == 6 && b;
}

procedure number() returns (n: int) { n := 6; }
procedure truth() returns (b: bool) { b := true; }
