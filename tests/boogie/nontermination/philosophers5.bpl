//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// The try-lock philosophers of Fig. 3 (a) of the non-termination paper, five of them. They can retry for ever: all
// take their left forks, find the right ones taken, and put the left ones back.
var forks: [int]mutex;

procedure Philosopher(n: int)
  modifies forks;
{
  var left, right: int;
  var got: bool;
  left := n;
  right := (n + 1) mod 5;
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
}
