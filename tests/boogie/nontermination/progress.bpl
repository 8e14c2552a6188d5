//@ run: explore --fairness strong
//@ run: live --fairness strong
//@ verdict(explore): safe
//@ verdict(live): none-within-bounds
// A server that is meant to run for ever: every round passes a progress mark, so it is no livelock.
var requests: int;

procedure main()
  modifies requests;
{
  requests := 0;
  while (true) {
    requests := 1 - requests;
    assume {:progress} true;
  }
}
