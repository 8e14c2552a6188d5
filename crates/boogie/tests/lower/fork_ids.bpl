// Where the id of a fork is surely free, and where it may be in use.
const unique left, right: int;
var g: int;

procedure ULTIMATE.start()
{
  var i, j: int;

  // Different ids, each forked once.
  fork 1 work();
  fork -1 work();
  join 1;
  join -1;

  // One id again and again, joined each time.
  while (*) {
    fork 2 work();
    join 2;
  }
  fork 2 work();

  // One id in a loop, joined too late.
  while (*) {
    fork 3 work();
  }
  join 3;

  // One id on two ways: the second may follow the first.
  if (*) {
    fork 4 work();
  }
  fork 4 work();
  join 4;

  // Ids of two parts: the second tells them apart.
  i := g;
  fork i, 1 work();
  fork j, 2 work();
  join i, 1;
  join j, 2;

  // Unique constants differ.
  fork true, left work();
  fork false, right work();
  join false, right;

  // A fork with any id may be any other.
  fork i, i, i work();
  fork 1, 1, 1 work();
  join i, i, i;

  // A procedure that runs once, and one that runs twice.
  call runs_once();
  call runs_twice();
  call runs_twice();

  // An id that only another thread joins may still be in use.
  fork 0bv1 joins();
  fork 1bv1 work();
  fork 1bv1 work();
}

procedure work() { }

procedure joins() { join 1bv1; }

procedure runs_once()
{
  fork 5 work();
  join 5;
}

procedure runs_twice()
{
  fork 6 work();
  join 6;
}
