//@ run: live
//@ run: explore --check non-termination --fairness strong
//@ verdict(live): non-terminating
//@ verdict(explore): unsafe
//@ kind: non-termination

// One id is forked again and again, and joined each time before it is forked again.

var work: bool;

procedure main()
{
  work := true;
  while (work) {
    fork 1 worker();
    join 1;
  }
}

procedure worker()
{
  work := false;
  work := true;
}
