// Tasks, threads, locks, atomic blocks.
var m: mutex;
var ms: [int]mutex;
var x: int;

procedure {:entrypoint} start()
{
  var t: task;
  var b: bool;
  var r: int;
  async call work(1);
  async call t := work(2);
  call {:async} r := work(3);
  r := wait t;
  fork 1 work(4);
  fork r, b work(5);
  join 1 assign r;
  join r, b;
  join r, b assign r;
  call r := work(6) | work0();
  acquire m;
  b := tryacquire ms[r];
  release ms[r];
  release m;
  atomic { assume x == 0; x := 1; }
  assume {:progress} true;
  assume {:yield} true;
  yield;
}

procedure work(n: int) returns (k: int)
{
  atomic {
    if (x == 1) { return; }
    atomic { x := n; goto out; }
  }
out:
  k := n;
}

procedure work0() { }
