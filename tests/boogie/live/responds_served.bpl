//@ run(fair): live --responds "wants ~> !wants"
//@ run: explore --responds "wants ~> !wants"
//@ run(unfair): live --fairness none --responds "wants ~> !wants"
//@ verdict(fair): none-within-bounds
//@ verdict(explore): safe
//@ verdict(unfair): non-terminating
//@ kind(unfair): non-termination
// The server takes each request. Both threads run for ever, and all is well unless the scheduler is unfair.
var wants: bool;

procedure main()
  modifies wants;
{
  wants := false;
  async call client();
  async call server();
}

procedure client()
  modifies wants;
{
  while (true) {
    wants := true;
  }
}

procedure server()
  modifies wants;
{
  while (true) {
    atomic {
      assume wants;
      wants := false;
    }
  }
}
