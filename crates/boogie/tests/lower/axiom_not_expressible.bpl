// An axiom that cannot be expressed, about a function that is used: to leave it out would allow runs that cannot happen.
function id<T>(x: T) returns (T);
axiom (forall<T> x: T :: id(x) == x);

procedure main()
{
  assert id(1) == 1;
}
