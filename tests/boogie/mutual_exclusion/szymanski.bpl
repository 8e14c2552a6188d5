//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Szymanski's algorithm for two threads, each of which enters twice. A thread stands outside (1), waits for others at
// the door (2), is in the doorway (3) or inside the waiting room with the door closed (4). There is no fair infinite
// execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var state: [int]int;
var inside: int;

procedure Enter(me: int, other: int)
  modifies state, inside;
{
  var entries: int;
  entries := 0;
  while (entries < 2) {
    state[me] := 1;
    while (state[other] >= 3) {
    }
    state[me] := 3;
    if (state[other] == 1) {
      state[me] := 2;
      while (state[other] != 4) {
      }
    }
    state[me] := 4;
    // The one with the smaller number goes first.
    while (other < me && state[other] >= 2) {
    }
    inside := me;
    assert inside == me;
    // It leaves only when nobody with a larger number is still on the way in.
    while (other > me && (state[other] == 2 || state[other] == 3)) {
    }
    state[me] := 0;
    entries := entries + 1;
  }
}

procedure main()
  modifies state, inside;
{
  state[0] := 0;
  state[1] := 0;
  async call Enter(0, 1);
  async call Enter(1, 0);
}
