//@ run: explore
//@ run: verify
//@ verdict(verify): partially-safe
//@ verdict(explore): unsafe
//@ kind: deadlock
// Fig. 7 of the safe-schedules paper: two mutexes acquired in opposite orders.
var mutex1, mutex2: mutex;

procedure {:thread} T1()
  modifies mutex1, mutex2;
{
  while (true) {
    acquire mutex1;
    acquire mutex2; //~ deadlock
    release mutex2;
    release mutex1;
  }
}

procedure {:thread} T2()
  modifies mutex1, mutex2;
{
  while (true) {
    acquire mutex2;
    acquire mutex1;
    release mutex2;
    release mutex1;
  }
}
