/* Peterson's mutual exclusion for two threads. Each counts its rounds, which makes the state space large. */

bool flag0, flag1;
byte turn;
byte inside;

proctype thread0() {
  byte round;
  round = 0;
  do
  :: flag0 = true;
     turn = 1;
     do
     :: flag1 -> if :: turn == 0 -> break :: else fi
     :: else -> break
     od;
     inside = inside + 1;
     assert(inside == 1);
     inside = inside - 1;
     flag0 = false;
     round = (round + 1) % 150
  od
}

proctype thread1() {
  byte round;
  round = 0;
  do
  :: flag1 = true;
     turn = 0;
     do
     :: flag0 -> if :: turn == 1 -> break :: else fi
     :: else -> break
     od;
     inside = inside + 1;
     assert(inside == 1);
     inside = inside - 1;
     flag1 = false;
     round = (round + 1) % 150
  od
}

init {
  flag0 = false;
  flag1 = false;
  turn = 0;
  inside = 0;
  run thread0();
  run thread1()
}
