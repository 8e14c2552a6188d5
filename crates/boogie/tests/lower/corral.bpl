// Corral's primitives have a meaning by their name.
var l: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_assert_not_reachable();
procedure corral_getThreadID() returns (x: int);

procedure {:entrypoint} main()
{
  var tid: int;
  call tid := corral_getThreadID();
  call corral_atomic_begin();
  assume l == 0;
  l := tid;
  call corral_atomic_end();
  assert {:sourceloc 1} true;
  async call task();
  if (l != tid) { call corral_assert_not_reachable(); }
}

procedure {:thread} task() { call corral_atomic_begin(); l := 1; }
