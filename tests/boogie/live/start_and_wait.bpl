//@ run: live
//@ run: explore --check non-termination --int-range 0..2
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination
// Each time round, a task is started, waited for, and gone.
var g: int;

procedure T()
  modifies g;
{
  g := 1 - g;
}

procedure main()
  modifies g;
{
  var t: task;
  g := 0;
  while (true) {
    async call t := T();
    wait t;
  }
}
