/* Dekker's mutual exclusion for two threads. Each counts its rounds, which makes the state space large. */

bool flag0, flag1;
byte turn;
byte inside;

proctype thread0() {
  byte round;
  round = 0;
  do
  :: flag0 = true;
     do
     :: flag1 ->
        if
        :: turn != 0 ->
           flag0 = false;
           do
           :: turn != 0
           :: else -> break
           od;
           flag0 = true
        :: else
        fi
     :: else -> break
     od;
     inside = inside + 1;
     assert(inside == 1);
     inside = inside - 1;
     turn = 1;
     flag0 = false;
     round = (round + 1) % 100
  od
}

proctype thread1() {
  byte round;
  round = 0;
  do
  :: flag1 = true;
     do
     :: flag0 ->
        if
        :: turn != 1 ->
           flag1 = false;
           do
           :: turn != 1
           :: else -> break
           od;
           flag1 = true
        :: else
        fi
     :: else -> break
     od;
     inside = inside + 1;
     assert(inside == 1);
     inside = inside - 1;
     turn = 0;
     flag1 = false;
     round = (round + 1) % 100
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
