//@ run: explore
//@ run: verify
//@ verdict: safe
// The corrected version of Fig. 7 of the safe-schedules paper: both threads acquire the mutexes in the same order.
var mutex1, mutex2: mutex;

procedure {:thread} T1()
  modifies mutex1, mutex2;
{
  while (true) {
    acquire mutex1;
    acquire mutex2;
    release mutex2;
    release mutex1;
  }
}

procedure {:thread} T2()
  modifies mutex1, mutex2;
{
  while (true) {
    acquire mutex1;
    acquire mutex2;
    release mutex2;
    release mutex1;
  }
}
