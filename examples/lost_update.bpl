// Two tasks add 1 to a counter, without a lock. Each reads the counter and then writes it, so one of the two
// updates can be lost: both read 0, both write 1, and the sum is wrong.

var counter: int;

procedure add_one()
modifies counter;
{
  var seen: int;
  seen := counter;
  counter := seen + 1;
}

procedure main()
modifies counter;
{
  var first: task;
  var second: task;
  counter := 0;
  async call first := add_one();
  async call second := add_one();
  wait first;
  wait second;
  assert counter == 2;
}
