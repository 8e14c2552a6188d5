//@ run: explore
//@ verdict(explore): unsafe
//@ kind: deadlock
// A cell that nobody assigned may be false, and then the thread waits for ever.
var ready: [int]bool;

procedure main()
{
  atomic { assume ready[0] || ready[1]; }
}
