// Peterson's mutual exclusion for two threads. Each counts its rounds, which makes the state space large.

var flag0: bool;
var flag1: bool;
var turn: int;
var inside: int;

procedure thread0()
modifies flag0, turn, inside;
{
  var round: int;
  round := 0;
  while (true) {
    flag0 := true;
    turn := 1;
    while (flag1) {
      if (turn == 0) { break; }
    }
    inside := inside + 1;
    assert inside == 1;
    inside := inside - 1;
    flag0 := false;
    round := (round + 1) mod 150;
  }
}

procedure thread1()
modifies flag1, turn, inside;
{
  var round: int;
  round := 0;
  while (true) {
    flag1 := true;
    turn := 0;
    while (flag0) {
      if (turn == 1) { break; }
    }
    inside := inside + 1;
    assert inside == 1;
    inside := inside - 1;
    flag1 := false;
    round := (round + 1) mod 150;
  }
}

procedure main()
modifies flag0, flag1, turn, inside;
{
  flag0 := false;
  flag1 := false;
  turn := 0;
  inside := 0;
  async call thread0();
  async call thread1();
}
