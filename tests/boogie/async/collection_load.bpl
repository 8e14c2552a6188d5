//@ run(found): explore
//@ run(missed): explore --scheduler dfw --delays 0
//@ run(found): explore --scheduler dfw --delays 1
//@ run(missed): explore --scheduler df --delays 3
//@ run(found): explore --scheduler df --delays 4
//@ verdict(found): unsafe
//@ verdict(missed): safe
//@ run(violated): async --delays 1
//@ run(violated): async --scheduler df --delays 4
//@ run(passed): async --scheduler df --delays 3
//@ run(passed): async --delays 0
//@ verdict(violated): violation
//@ verdict(passed): none-within-bounds
// A page signs in, reads its settings and an index, and awaits each. Then it starts to load its items and goes through
// them, but does not await the load, which changes the collection under the loop. C# throws "Collection was modified"
// there. DF(K) needs a delay for each link of the chain and one for the mistake; DFW(K) needs the last one only.
var page: int;
var count: int;
var version: int;

procedure SignInAsync() returns (user: int)
{
  user := 1;
}

procedure ReadSettingsAsync(user: int) returns (size: int)
{
  size := user + 1;
}

procedure ReadIndexAsync(user: int) returns (items: int)
{
  items := 2 * user;
}

procedure LoadItemsAsync(items: int)
modifies count, version;
{
  while (count < items) {
    atomic { count := count + 1; version := version + 1; }
  }
}

procedure OnNavigatedTo()
modifies page, count, version;
{
  var t: task;
  var user, items, i, seen: int;
  async call t := SignInAsync();
  user := wait t;
  async call t := ReadSettingsAsync(user);
  page := wait t;
  async call t := ReadIndexAsync(user);
  items := wait t;
  async call LoadItemsAsync(items);
  // The loop `foreach`: the enumerator compares versions at each item.
  atomic { i, seen := 0, version; }
  while (i < page) {
    assert {:msg "the collection was modified"} version == seen; //~(found) assertion
    i := i + 1;
  }
}

procedure main()
modifies page, count, version;
{
  page, count, version := 0, 0, 0;
  async call OnNavigatedTo();
}
