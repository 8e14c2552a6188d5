/* Two producers and two consumers around a buffer of three slots, with two counting semaphores and a lock. A free slot
   holds 0, so a consumer that takes 0 has taken something that nobody produced. */

byte slot0, slot1, slot2;
byte head, tail;
byte vacant, filled;
bool locked;

proctype producer() {
  byte item;
  item = 0;
  do
  :: item = item % 4 + 1;
     d_step { vacant > 0; vacant = vacant - 1 };
     d_step { !locked; locked = true };
     if
     :: tail == 0 -> slot0 = item
     :: else ->
        if
        :: tail == 1 -> slot1 = item
        :: else -> slot2 = item
        fi
     fi;
     tail = (tail + 1) % 3;
     locked = false;
     filled = filled + 1
  od
}

proctype consumer() {
  byte item;
  item = 0;
  do
  :: d_step { filled > 0; filled = filled - 1 };
     d_step { !locked; locked = true };
     if
     :: head == 0 ->
        item = slot0;
        slot0 = 0
     :: else ->
        if
        :: head == 1 ->
           item = slot1;
           slot1 = 0
        :: else ->
           item = slot2;
           slot2 = 0
        fi
     fi;
     assert(item != 0);
     head = (head + 1) % 3;
     locked = false;
     vacant = vacant + 1
  od
}

init {
  slot0 = 0;
  slot1 = 0;
  slot2 = 0;
  head = 0;
  tail = 0;
  vacant = 3;
  filled = 0;
  run producer();
  run producer();
  run consumer();
  run consumer()
}
