//@ run: live
//@ run: async
//@ run: explore --check non-termination
//@ exit(live): 2
//@ exit(async): 2
//@ verdict(explore): unknown

// Two threads have one id at the same time. A join may wait for either of them, and only the explorer, which sees that the run
// comes to that, can answer: with `unknown`.

var work: bool;

procedure main()
{
  work := true;
  fork 1 worker();
  fork 1 worker();
  join 1;
}

procedure worker()
{
  while (work) {
    work := true;
  }
}
