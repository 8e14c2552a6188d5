//@ run: explore
//@ run: async
//@ verdict(explore): safe
//@ verdict(async): none-within-bounds

// Quantifiers over integers that conditions bound are evaluated by trying what is between the bounds.

function within(i: int, n: int) returns (bool) { 0 <= i && i < n }
function sorted(a: [int]int, n: int) returns (bool) {
  (forall i, j: int :: within(i, n) && within(j, n) && i < j ==> a[i] < a[j])
}

procedure main()
{
  var a: [int]int;
  var n: int;
  a := (lambda i: int :: 0);
  a[1] := 1;
  a[2] := 2;
  a[3] := 7;
  n := 3;

  assert (forall i: int :: 0 <= i && i < n ==> a[i] == i);
  assert !(forall i: int :: 0 <= i && i <= n ==> a[i] == i);
  assert (forall i: int :: a[i] == i || i < 0 || n <= i);
  assert (forall i: int :: i < n ==> -1 <= i ==> a[i] < 3);
  assert (forall i: int :: within(i, n) ==> a[i] < n);
  assert !(forall i: int :: !(within(i, 4) && a[i] == 7));
  assert (exists i: int :: 1 < i && i < 4 && a[i] == 7);
  assert !(exists i: int :: i == 5 && a[i] == 7);
  assert (exists i: int :: n == i && a[i] == 7);
  assert !(exists i: int :: within(i, 4) && a[i] == 5);

  // Bounds of one variable follow from those of another.
  assert (forall i, j: int :: 0 <= i && i < j && j < 4 ==> a[i] < a[j]);
  assert !(forall i, j: int :: 0 <= i && i <= j && j < 4 ==> a[i] < a[j]);
  assert (forall i: int :: 0 <= i && i + 1 < 4 ==> a[i] < a[i + 1]);
  assert !(forall i: int :: 0 <= i && i - 1 < 3 ==> a[i] < a[i + 1]);
  assert (forall i: int, b: bool :: b && 2 <= i + 2 && i < n ==> a[i] == i);
  assert sorted(a, 4) && !sorted(a, 5);

  // Nothing is between these.
  assert (forall i, j: int :: n < i && i < j && j < n ==> false);
  assert !(exists i: int :: 4 < i && i < 4);
  assert (forall i: int :: within(i, 4) ==> (exists j: int :: i <= j && j < 4 && a[j] == 7));
}
