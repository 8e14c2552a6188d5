// Who must show what: callers preconditions, bodies postconditions; a procedure without a body does what it promises.
var g, h: int;

procedure main() returns (r: int)
  requires g > 0;
  ensures g == old(g) + 2;
{
  var b: bool;
  call r := step(1);
  call add(1);
  call r, b := any();
}

procedure step(x: int) returns (y: int);
  requires x > 0;
  free requires x < 10;
  ensures y > old(g) && g > old(g);

implementation step(a: int) returns (x: int)
{
  x := g + 1;
  g := x;
  assert old(g) < g;
}

procedure add(n: int);
  requires n > 0;
  modifies g, h;
  ensures g == old(g) + n;
  ensures h > g;

procedure any() returns (x: int where x > 0, b: bool);
  ensures b ==> x > 1;
