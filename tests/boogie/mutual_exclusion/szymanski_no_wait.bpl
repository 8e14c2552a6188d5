//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// Szymanski's algorithm for two threads with a mistake: a thread that leaves does not wait for those at the door. The
// second thread then misses the moment at which the door is closed (4), and spins for ever: nobody will come again.
var state: [int]int;
var inside: int;

procedure Enter(me: int, other: int)
  modifies state, inside;
{
  state[me] := 1;
  while (state[other] >= 3) {
  }
  state[me] := 3;
  if (state[other] == 1) {
    state[me] := 2;
    while (state[other] != 4) { //~ non-termination
    }
  }
  state[me] := 4;
  while (other < me && state[other] >= 2) {
  }
  inside := me;
  assert inside == me;
  state[me] := 0;
}

procedure main()
  modifies state, inside;
{
  state[0] := 0;
  state[1] := 0;
  async call Enter(0, 1);
  async call Enter(1, 0);
}
