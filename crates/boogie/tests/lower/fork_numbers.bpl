// A thread that gets a number is started in a section of its own, which goes into that of the fork.
procedure corral_getThreadID() returns (n: int);

procedure {:entrypoint} start()
{
  fork 1 work();
  fork 1 work();
  join 1;
}

procedure work()
{
  var n: int;
  call n := corral_getThreadID();
}
