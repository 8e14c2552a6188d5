// The first of two patterns from the Apache web server (Lu et al., ASPLOS 2006): the length of the log buffer is read, the entry
// is copied to that place, and only then is the length written back. Each access is under the lock, the three together
// are not: two entries get the same place, or one is lost.
//@ run: predict --check atomicity --atomic BufferedLog
//@ verdict: violations
//@ kind: atomicity

var length: int;
var buffer: [int]int;
var mutex_: mutex;

procedure main()
{
  var a: task;
  var b: task;
  length := 0;
  async call a := Worker(1);
  async call b := Worker(2);
  wait a;
  wait b;
}

procedure Worker(entry: int)
{
  call BufferedLog(entry);
}

procedure BufferedLog(entry: int)
{
  var at: int;
  acquire mutex_;
  at := length;
  release mutex_;
  buffer[at] := entry;
  acquire mutex_;
  length := at + 1;
  release mutex_;
}
