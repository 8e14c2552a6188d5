// The second of two patterns from the Apache web server (Lu et al., ASPLOS 2006): a reference count is decremented and then read
// again to see whether the object is to be freed. Between the two others can decrement it, too, and then both free it.
//@ run: predict --check atomicity,assertion
//@ verdict: violations
//@ kind: atomicity
//@ kind: assertion

var count: int;
var freed: bool;

procedure main()
{
  var a: task;
  var b: task;
  count := 2;
  freed := false;
  async call a := Release();
  async call b := Release();
  wait a;
  wait b;
}

procedure {:transaction} Release()
{
  var left: int;
  atomic { count := count - 1; }
  left := count;
  if (left == 0) {
    atomic {
      assert {:msg "the object is freed once"} !freed;
      freed := true;
    }
  }
}
