/* Six dining philosophers. The last one takes the forks in the other order, so nobody starves for a fork that never
   comes. Each counts meals, which makes the state space large. */

bool taken[6];
byte eating;

proctype philosopher(byte first, second) {
  byte meals;
  meals = 0;
  do
  :: d_step { !taken[first]; taken[first] = true };
     d_step { !taken[second]; taken[second] = true };
     eating = eating + 1;
     assert(eating <= 3);
     eating = eating - 1;
     meals = (meals + 1) % 2;
     taken[second] = false;
     taken[first] = false
  od
}

init {
  eating = 0;
  run philosopher(0, 1);
  run philosopher(1, 2);
  run philosopher(2, 3);
  run philosopher(3, 4);
  run philosopher(4, 5);
  run philosopher(0, 5)
}
