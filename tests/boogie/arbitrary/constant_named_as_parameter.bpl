// A parameter that has the name of a constant is not that constant: the body of `plus` says all of it, so that the axiom, which
// cannot be evaluated over all integers, speaks only of `next`, which nobody uses.
//@ run: explore
//@ verdict: safe
//@ exit: 0

const unique x: int;
axiom x == 7;

function {:inline true} plus(x: int, y: int): int
{
  x + y
}

function next(a: int): int;
axiom (forall a: int :: {next(a)} plus(a, 1) <= next(a));

var total: int;

procedure main()
{
  total := plus(x, 1);
  assert total == 8;
}
