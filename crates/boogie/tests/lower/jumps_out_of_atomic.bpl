// A jump out of atomic blocks ends them, each target as many as it leaves.
var x: int;
procedure main()
{
  again: while (x > 0) {
    atomic {
      inner: atomic {
        if (x == 1) { break again; }
        if (x == 2) { break inner; }
        if (x == 3) { goto near, far, near_too; }
        near_too: x := 4;
      }
      near: x := 5;
    }
  }
  far: x := 6;
}
