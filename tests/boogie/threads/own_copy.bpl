//@ run(all): explore
//@ run: explore --scheduler dfw --delays 2
//@ run: explore --scheduler df --delays 3
//@ verdict: safe
// Each task has its own copy of a thread-local variable, so it keeps its value while others write theirs.
var {:thread_local} level: int;
var deepest: int;

procedure note()
modifies deepest;
{
  atomic { if (level > deepest) { deepest := level; } }
}

procedure dive(depth: int)
modifies level, deepest;
{
  level := depth;
  call note();
  assert level == depth;
}

procedure main()
modifies level, deepest;
{
  var t, u: task;
  deepest := 0;
  level := 0;
  async call t := dive(1);
  async call u := dive(2);
  assert level == 0;
  wait t;
  wait u;
  assert level == 0;
  assert deepest == 2;
}
