//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// Dekker's algorithm for two threads, each of which enters twice. If both want to enter, the one whose turn it is not
// lowers its flag until it is its turn. There is no fair infinite execution.
//
// The verdict of `raddle live` here is for one round of the stem and one of the lasso.
var wants: [int]bool;
var turn: int;
var inside: int;

procedure Enter(me: int, other: int)
  modifies wants, turn, inside;
{
  var entries: int;
  entries := 0;
  while (entries < 2) {
    wants[me] := true;
    while (wants[other]) {
      if (turn != me) {
        wants[me] := false;
        while (turn != me) {
        }
        wants[me] := true;
      }
    }
    inside := me;
    assert inside == me;
    turn := other;
    wants[me] := false;
    entries := entries + 1;
  }
}

procedure main()
  modifies wants, turn, inside;
{
  wants[0] := false;
  wants[1] := false;
  turn := 0;
  async call Enter(0, 1);
  async call Enter(1, 0);
}
