// Corral's atomic sections are a flag: a second beginning adds nothing, the first end ends both, and to end none does nothing. The
// block after the branch is there twice, with the flag set and without.

var x: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure main()
modifies x;
{
  x := 0;
  call corral_atomic_end();
  async call other();
  call corral_atomic_begin();
  call corral_atomic_begin();
  x := 1;
  if (*) {
    call corral_atomic_end();
  }
  assert x == 1;
}

procedure other()
modifies x;
{
  x := 2;
}
