//@ run(all): explore
//@ run: explore --scheduler dfw --delays 2
//@ run: explore --scheduler df --delays 3
//@ verdict: safe
// Corral's numbers of threads: all are different, a thread's own number never changes, and the one that started it
// learns it too. Here they say who holds a lock.
var owner: int;
var sum: int;

procedure corral_getThreadID() returns (number: int);
procedure corral_getChildThreadID() returns (number: int);

procedure enter()
modifies owner;
{
  var me: int;
  call me := corral_getThreadID();
  atomic { assume owner == 0; owner := me; }
}

procedure leave()
modifies owner;
{
  var me: int;
  call me := corral_getThreadID();
  assert owner == me;
  owner := 0;
}

procedure add(n: int)
modifies owner, sum;
{
  call enter();
  sum := sum + n;
  call leave();
}

procedure main()
modifies owner, sum;
{
  var t, u: task;
  var me, first, second: int;
  owner, sum := 0, 0;
  async call t := add(5);
  call first := corral_getChildThreadID();
  async call u := add(7);
  call second := corral_getChildThreadID();
  call me := corral_getThreadID();
  assert me != first && me != second && first != second;
  wait t;
  wait u;
  assert sum == 12;
}
