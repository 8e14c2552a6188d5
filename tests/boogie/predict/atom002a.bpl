// The repaired version of atom002: the count is decremented and read in one moment.
//@ run: predict --check atomicity,assertion
//@ verdict: none

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
  atomic {
    count := count - 1;
    left := count;
  }
  if (left == 0) {
    atomic {
      assert {:msg "the object is freed once"} !freed;
      freed := true;
    }
  }
}
