// c2s's clauses about pending tasks are left out, with a word about it.
var b: bool;
axiom {:dispatch} pending(Pong) > 0 ==> b;
procedure Main()
  posts Pong;
  ensures pending(Pong) <= old(pending(Pong)) + 1;
  ensures b;
{
  call {:async} {:node one} Pong();
  b := true;
}
procedure Pong() requires b; { b := false; }
