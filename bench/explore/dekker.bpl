// Dekker's mutual exclusion for two threads. Each counts its rounds, which makes the state space large.

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
    while (flag1) {
      if (turn != 0) {
        flag0 := false;
        while (turn != 0) { }
        flag0 := true;
      }
    }
    inside := inside + 1;
    assert inside == 1;
    inside := inside - 1;
    turn := 1;
    flag0 := false;
    round := (round + 1) mod 100;
  }
}

procedure thread1()
modifies flag1, turn, inside;
{
  var round: int;
  round := 0;
  while (true) {
    flag1 := true;
    while (flag0) {
      if (turn != 1) {
        flag1 := false;
        while (turn != 1) { }
        flag1 := true;
      }
    }
    inside := inside + 1;
    assert inside == 1;
    inside := inside - 1;
    turn := 0;
    flag1 := false;
    round := (round + 1) mod 100;
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
