//@ run(marks): live
//@ run(responds): live --responds "x == 0 ~> x == 2"
//@ run(explored): explore --fairness strong --responds "x == 0 ~> x == 2"
//@ verdict(marks): none-within-bounds
//@ verdict(responds): non-terminating
//@ verdict(explored): unsafe
//@ kind(responds): non-termination
//@ kind(explored): non-termination
// What is progress is what the property says: with one, progress marks mean nothing.
var x: int where x == 0;

procedure main()
  modifies x;
{
  while (true) {
    assume {:progress} true;
    x := 1 - x;
  }
}
