// Two producers and two consumers around a buffer of three slots, with two counting semaphores and a lock. A free slot
// holds 0, so a consumer that takes 0 has taken something that nobody produced.

var slot0: int;
var slot1: int;
var slot2: int;
var head: int;
var tail: int;
var vacant: int;
var filled: int;
var lock: mutex;

procedure producer()
modifies slot0, slot1, slot2, tail, vacant, filled;
{
  var item: int;
  item := 0;
  while (true) {
    item := item mod 4 + 1;
    atomic { assume vacant > 0; vacant := vacant - 1; }
    acquire lock;
    if (tail == 0) {
      slot0 := item;
    } else if (tail == 1) {
      slot1 := item;
    } else {
      slot2 := item;
    }
    tail := (tail + 1) mod 3;
    release lock;
    filled := filled + 1;
  }
}

procedure consumer()
modifies slot0, slot1, slot2, head, vacant, filled;
{
  var item: int;
  item := 0;
  while (true) {
    atomic { assume filled > 0; filled := filled - 1; }
    acquire lock;
    if (head == 0) {
      item := slot0;
      slot0 := 0;
    } else if (head == 1) {
      item := slot1;
      slot1 := 0;
    } else {
      item := slot2;
      slot2 := 0;
    }
    assert item != 0;
    head := (head + 1) mod 3;
    release lock;
    vacant := vacant + 1;
  }
}

procedure main()
modifies slot0, slot1, slot2, head, tail, vacant, filled;
{
  slot0 := 0;
  slot1 := 0;
  slot2 := 0;
  head := 0;
  tail := 0;
  vacant := 3;
  filled := 0;
  async call producer();
  async call producer();
  async call consumer();
  async call consumer();
}
