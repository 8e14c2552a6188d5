// Branches, loops, jumps and labelled breaks; one statement is one op.
var g: int;
var m: [int][int]bool;

procedure main()
{
  var i, j: int;
  i, j := 0, 1;
  m[i][j] := true;
  outer: while (i < 10)
    invariant i >= 0;
    free invariant j == 1;
  {
    if (*) {
      break;
    } else if (j == 2) {
      break outer;
    } else {
      i := i + 1;
    }
    if {:fair} (*) { g := 1; }
    while {:fair} (*) { havoc g; }
  }
  goto a, b;
a:
  assume i == 10;
  return;
b:
  assert {:msg "never here"} i != 10;
  goto a;
}
