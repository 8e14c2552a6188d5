//@ run: live
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination
// Two tasks wait for different locks of an array, which main holds; a third one gets its lock and completes.
var ms: [int]mutex;
var g: bool;

procedure W(i: int)
  modifies ms;
{
  acquire ms[i];
  release ms[i];
}

procedure main()
  modifies ms, g;
{
  acquire ms[1];
  acquire ms[2];
  async call W(1);
  async call W(2);
  async call W(3);
  while (true) {
    g := !g;
  }
}
