//@ run: explore
//@ run: explore --scheduler dfw --delays 0
//@ run: explore --scheduler dfw --delays 1
//@ run: explore --scheduler df --delays 3
//@ run: explore --scheduler df --delays 4
//@ verdict(explore): safe
//@ run(passed): async --delays 1
//@ run(passed): async --scheduler df --delays 2
//@ verdict(passed): none-within-bounds
// `collection_load.bpl`, fixed: the load is awaited.
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
  async call t := LoadItemsAsync(items);
  wait t;
  // The loop `foreach`: the enumerator compares versions at each item.
  atomic { i, seen := 0, version; }
  while (i < page) {
    assert {:msg "the collection was modified"} version == seen;
    i := i + 1;
  }
}

procedure main()
modifies page, count, version;
{
  page, count, version := 0, 0, 0;
  async call OnNavigatedTo();
}
