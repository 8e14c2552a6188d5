//@ run: live
//@ verdict: non-terminating
//@ kind: non-termination
// Every call keeps the handle of a task that has completed, and hands it on to the next one.
var done: bool;

procedure work() returns (r: int)
{
  r := 7;
}

procedure again(before: task)
{
  var next: task;
  async call next := work();
  wait next;
  if (!done) {
    call again(next);
  }
}

procedure main()
  modifies done;
{
  var none: task;
  done := false;
  call again(none);
}
