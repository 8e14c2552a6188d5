//@ run: async
//@ run: explore
//@ verdict(async): violation
//@ verdict(explore): unsafe
//@ kind: assertion

// Two threads by id take a number each without a lock, and the first one asserts that both were counted.

var count: int;

procedure main()
{
  count := 0;
  fork 1 increment();
  fork 2 increment();
  join 1;
  join 2;
  assert count == 2; //~ assertion
}

procedure increment()
{
  var seen: int;
  seen := count;
  count := seen + 1;
}
