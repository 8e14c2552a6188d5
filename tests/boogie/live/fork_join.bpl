//@ run: live
//@ run: live --fairness none
//@ run: explore --check non-termination --fairness strong
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination

// Threads by id, as Ultimate has them. All ids differ, so no id is in use twice, and the three threads hand a token round
// for ever while the first one waits at its first join.

var token: int;

procedure ULTIMATE.start()
{
  token := 1;
  fork 1 one();
  fork 2 two();
  fork 3, 3 three();
  join 1;
  join 2;
  join 3, 3;
}

procedure one()
{
  while (token == 1) {
    token := 2;
  }
}

procedure two()
{
  while (token == 2) {
    token := 3;
  }
}

procedure three()
{
  while (token == 3) {
    token := 1;
  }
}
