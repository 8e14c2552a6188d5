//@ run: explore --fairness strong
//@ run: explore --fairness weak
//@ run: live --fairness strong
//@ run: live --fairness weak
//@ verdict(explore): unsafe
//@ verdict(live): non-terminating
//@ kind: non-termination
// A ticket lock whose tickets are drawn in two steps, so that two threads can draw the same number. If they enter
// together, both move `serving` on, and the number of a third is passed over. If one of them comes late, its own number
// has been served already. Either way a thread spins for ever. (That two are inside at once is not checked here.)
var next_ticket, serving: int;

procedure Enter()
  modifies next_ticket, serving;
{
  var mine: int;
  mine := next_ticket;
  next_ticket := mine + 1;
  while (serving != mine) { //~ non-termination
  }
  serving := serving + 1;
}

procedure main()
  modifies next_ticket, serving;
{
  next_ticket := 0;
  serving := 0;
  async call Enter();
  async call Enter();
  async call Enter();
}
