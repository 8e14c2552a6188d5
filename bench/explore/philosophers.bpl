// Six dining philosophers. The last one takes the forks in the other order, so nobody starves for a fork that never
// comes. Each counts meals, which makes the state space large.

var forks: [int]mutex;
var eating: int;

procedure philosopher(first: int, second: int)
modifies eating;
{
  var meals: int;
  meals := 0;
  while (true) {
    acquire forks[first];
    acquire forks[second];
    eating := eating + 1;
    assert eating <= 3;
    eating := eating - 1;
    meals := (meals + 1) mod 2;
    release forks[second];
    release forks[first];
  }
}

procedure main()
modifies eating;
{
  eating := 0;
  async call philosopher(0, 1);
  async call philosopher(1, 2);
  async call philosopher(2, 3);
  async call philosopher(3, 4);
  async call philosopher(4, 5);
  async call philosopher(0, 5);
}
