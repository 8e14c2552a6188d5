// Each thread has its own copy of a thread-local variable, and the number of the thread it started.
var {:thread_local} mine: [int]int;
var shared: int;
procedure corral_getThreadID() returns (x: bv8);
procedure corral_getChildThreadID() returns (x: int);

procedure main()
{
  var t: task;
  var own: bv8;
  var child: int;
  mine[1] := shared;
  async call t := worker();
  async call worker();
  call own := corral_getThreadID();
  call child := corral_getChildThreadID();
  havoc mine;
  shared := mine[child];
}

procedure worker()
{
  var before: int;
  before := old(mine)[0];
}
