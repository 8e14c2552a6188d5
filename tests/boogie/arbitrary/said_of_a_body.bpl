// What an axiom says of a function with a body, it says of what is in the body: here of a function that has none, and of a constant.
//@ run: async --delays 0
//@ verdict: none-within-bounds

function height(x: int): int;
function {:inline true} above(x: int): int { height(x) + 1 }
axiom (forall x: int :: {above(x)} above(x) > 0);

const base: int;
function {:inline true} shifted(x: int): int { x + base }
axiom (forall x: int :: {shifted(x)} shifted(x) >= x);

var seen: int;

procedure main()
{
  seen := above(3);
  async call second();
}

procedure second()
{
  assert seen > 0;
  assert shifted(seen) > 0;
}
