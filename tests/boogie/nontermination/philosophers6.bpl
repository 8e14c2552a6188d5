//@ run: live --fairness strong
//@ verdict(live): non-terminating
//@ kind: non-termination
// The try-lock philosophers of Fig. 3 (a) of the non-termination paper, six of them. They can retry for ever: all
// take their left forks, find the right ones taken, and put the left ones back.
//
// `raddle explore` finds it too, among 2,026,688 states, which are too many for a test.
var forks: [int]mutex;

procedure Philosopher(n: int)
  modifies forks;
{
  var left, right: int;
  var got: bool;
  left := n;
  right := (n + 1) mod 6;
  while (true) {
    got := tryacquire forks[left];
    if (got) {
      got := tryacquire forks[right];
      if (got) {
        break;
      } else {
        release forks[left];
      }
    }
  }
  release forks[right];
  release forks[left];
}

procedure main()
  modifies forks;
{
  async call Philosopher(0);
  async call Philosopher(1);
  async call Philosopher(2);
  async call Philosopher(3);
  async call Philosopher(4);
  async call Philosopher(5);
}
