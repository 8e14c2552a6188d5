//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Szymanski's algorithm for three threads, each of which enters once. Each test looks at both others in one step. There
// is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var state: [int]int;
var inside: int;

procedure Enter(me: int, a: int, b: int)
  modifies state, inside;
{
  state[me] := 1;
  while (state[a] >= 3 || state[b] >= 3) {
  }
  state[me] := 3;
  if (state[a] == 1 || state[b] == 1) {
    state[me] := 2;
    while (state[a] != 4 && state[b] != 4) {
    }
  }
  state[me] := 4;
  // Those with smaller numbers go first.
  while ((a < me && state[a] >= 2) || (b < me && state[b] >= 2)) {
  }
  inside := me;
  assert inside == me;
  // It leaves only when nobody with a larger number is still on the way in.
  while ((a > me && (state[a] == 2 || state[a] == 3)) || (b > me && (state[b] == 2 || state[b] == 3))) {
  }
  state[me] := 0;
}

procedure main()
  modifies state, inside;
{
  state[0] := 0;
  state[1] := 0;
  state[2] := 0;
  async call Enter(0, 1, 2);
  async call Enter(1, 0, 2);
  async call Enter(2, 0, 1);
}
