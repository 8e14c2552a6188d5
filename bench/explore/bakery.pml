/* Lamport's bakery for three threads. A thread that would draw a ticket above 6 gives up and starts again,
   which keeps the state space finite. */

bool choosing0, choosing1, choosing2;
byte number0, number1, number2;
byte inside;

proctype thread0() {
  byte mine, seen;
  do
  :: choosing0 = true;
     mine = 0;
     seen = number1;
     if :: seen > mine -> mine = seen :: else fi;
     seen = number2;
     if :: seen > mine -> mine = seen :: else fi;
     if
     :: mine < 6 ->
        mine = mine + 1;
        number0 = mine;
        choosing0 = false;
        do :: choosing1 :: else -> break od;
        seen = number1;
        do
        :: seen != 0 && seen < mine -> seen = number1
        :: else -> break
        od;
        do :: choosing2 :: else -> break od;
        seen = number2;
        do
        :: seen != 0 && seen < mine -> seen = number2
        :: else -> break
        od;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        number0 = 0
     :: else ->
        choosing0 = false
     fi
  od
}

proctype thread1() {
  byte mine, seen;
  do
  :: choosing1 = true;
     mine = 0;
     seen = number0;
     if :: seen > mine -> mine = seen :: else fi;
     seen = number2;
     if :: seen > mine -> mine = seen :: else fi;
     if
     :: mine < 6 ->
        mine = mine + 1;
        number1 = mine;
        choosing1 = false;
        do :: choosing0 :: else -> break od;
        seen = number0;
        do
        :: seen != 0 && seen <= mine -> seen = number0
        :: else -> break
        od;
        do :: choosing2 :: else -> break od;
        seen = number2;
        do
        :: seen != 0 && seen < mine -> seen = number2
        :: else -> break
        od;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        number1 = 0
     :: else ->
        choosing1 = false
     fi
  od
}

proctype thread2() {
  byte mine, seen;
  do
  :: choosing2 = true;
     mine = 0;
     seen = number0;
     if :: seen > mine -> mine = seen :: else fi;
     seen = number1;
     if :: seen > mine -> mine = seen :: else fi;
     if
     :: mine < 6 ->
        mine = mine + 1;
        number2 = mine;
        choosing2 = false;
        do :: choosing0 :: else -> break od;
        seen = number0;
        do
        :: seen != 0 && seen <= mine -> seen = number0
        :: else -> break
        od;
        do :: choosing1 :: else -> break od;
        seen = number1;
        do
        :: seen != 0 && seen <= mine -> seen = number1
        :: else -> break
        od;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        number2 = 0
     :: else ->
        choosing2 = false
     fi
  od
}

init {
  choosing0 = false;
  choosing1 = false;
  choosing2 = false;
  number0 = 0;
  number1 = 0;
  number2 = 0;
  inside = 0;
  run thread0();
  run thread1();
  run thread2()
}
