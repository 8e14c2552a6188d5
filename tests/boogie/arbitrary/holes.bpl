//@ run: async
//@ run: explore
//@ verdict(async): violation
//@ verdict(explore): unsafe
//@ kind: assertion

// Two tasks put a value each at the end of a list. If one is delayed in between, both write to the same place.

var list: [int]int;
var length: int;

procedure put(value: int)
{
  var at: int;
  at := length;
  list[at] := value;
  length := at + 1;
}

procedure main()
{
  var first, second: task;
  list := (lambda i: int :: 0);
  length := 0;
  async call first := put(7);
  async call second := put(8);
  wait first;
  wait second;
  assert (forall i: int :: 0 <= i && i < 2 ==> list[i] != 0); //~ assertion
}
