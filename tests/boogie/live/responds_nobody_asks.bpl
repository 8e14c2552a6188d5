//@ run: live --fairness none --responds "x == 3 ~> false"
//@ run: explore --fairness none --responds "x == 3 ~> false"
//@ verdict(live): none-within-bounds
//@ verdict(explore): safe
// The request never holds, so nothing has to answer it, although the program runs for ever without progress.
var x: int where x == 0;

procedure main()
  modifies x;
{
  while (true) {
    x := 1 - x;
  }
}
