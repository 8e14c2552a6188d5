// Lamport's bakery for three threads. A thread that would draw a ticket above 6 gives up and starts again,
// which keeps the state space finite.

var choosing0: bool;
var choosing1: bool;
var choosing2: bool;
var number0: int;
var number1: int;
var number2: int;
var inside: int;

procedure thread0()
modifies choosing0, number0, inside;
{
  var mine: int;
  var seen: int;
  while (true) {
    choosing0 := true;
    mine := 0;
    seen := number1;
    if (seen > mine) { mine := seen; }
    seen := number2;
    if (seen > mine) { mine := seen; }
    if (mine < 6) {
      mine := mine + 1;
      number0 := mine;
      choosing0 := false;
      while (choosing1) { }
      seen := number1;
      while (seen != 0 && seen < mine) { seen := number1; }
      while (choosing2) { }
      seen := number2;
      while (seen != 0 && seen < mine) { seen := number2; }
      inside := inside + 1;
      assert inside == 1;
      inside := inside - 1;
      number0 := 0;
    } else {
      choosing0 := false;
    }
  }
}

procedure thread1()
modifies choosing1, number1, inside;
{
  var mine: int;
  var seen: int;
  while (true) {
    choosing1 := true;
    mine := 0;
    seen := number0;
    if (seen > mine) { mine := seen; }
    seen := number2;
    if (seen > mine) { mine := seen; }
    if (mine < 6) {
      mine := mine + 1;
      number1 := mine;
      choosing1 := false;
      while (choosing0) { }
      seen := number0;
      while (seen != 0 && seen <= mine) { seen := number0; }
      while (choosing2) { }
      seen := number2;
      while (seen != 0 && seen < mine) { seen := number2; }
      inside := inside + 1;
      assert inside == 1;
      inside := inside - 1;
      number1 := 0;
    } else {
      choosing1 := false;
    }
  }
}

procedure thread2()
modifies choosing2, number2, inside;
{
  var mine: int;
  var seen: int;
  while (true) {
    choosing2 := true;
    mine := 0;
    seen := number0;
    if (seen > mine) { mine := seen; }
    seen := number1;
    if (seen > mine) { mine := seen; }
    if (mine < 6) {
      mine := mine + 1;
      number2 := mine;
      choosing2 := false;
      while (choosing0) { }
      seen := number0;
      while (seen != 0 && seen <= mine) { seen := number0; }
      while (choosing1) { }
      seen := number1;
      while (seen != 0 && seen <= mine) { seen := number1; }
      inside := inside + 1;
      assert inside == 1;
      inside := inside - 1;
      number2 := 0;
    } else {
      choosing2 := false;
    }
  }
}

procedure main()
modifies choosing0, choosing1, choosing2, number0, number1, number2, inside;
{
  choosing0 := false;
  choosing1 := false;
  choosing2 := false;
  number0 := 0;
  number1 := 0;
  number2 := 0;
  inside := 0;
  async call thread0();
  async call thread1();
  async call thread2();
}
