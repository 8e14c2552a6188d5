//@ run: live --responds "sent > done ~> sent == done"
//@ run: explore --responds "sent > done ~> sent == done"
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination
// The server clears the mailbox after it has served. What comes in between is lost, and the server waits for ever.
var mail: bool;
var sent: int;
var done: int;

procedure main()
  modifies mail, sent, done;
{
  mail, sent, done := false, 0, 0;
  async call client();
  async call server();
  async call idler();
}

procedure client()
  modifies mail, sent;
{
  while (sent < 2) {
    atomic {
      mail := true;
      sent := sent + 1;
    }
  }
}

procedure server()
  modifies mail, done;
{
  while (true) {
    atomic {
      assume mail;
      done := done + 1;
    }
    mail := false;
  }
}

// The machine does other things, too: without them the server's waiting is a deadlock, which is no infinite execution.
procedure idler()
{
  while (true) {
    yield;
  }
}
