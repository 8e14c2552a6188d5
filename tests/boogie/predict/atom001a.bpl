// The repaired version of atom001: a flag, waited for and set in one moment, keeps others out until the entry is
// written. Locks alone do not show that.
//@ run: predict --check atomicity --atomic BufferedLog
//@ verdict: none

var length: int;
var busy: bool;
var buffer: [int]int;
var mutex_: mutex;

procedure main()
{
  var a: task;
  var b: task;
  length := 0;
  busy := false;
  async call a := Worker(1);
  async call b := Worker(2);
  wait a;
  wait b;
}

procedure Worker(entry: int)
{
  atomic {
    assume !busy;
    busy := true;
  }
  call BufferedLog(entry);
  busy := false;
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
