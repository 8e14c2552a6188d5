//@ run: explore
//@ run: async
//@ verdict(explore): unsafe
//@ verdict(async): violation
//@ kind: assertion
//@ exit: 1

// As tools write it: what functions are is said by axioms, and there is more in the prelude than the program needs.
function cell(base: int, index: int, size: int): int;
axiom (forall p: int, i: int, s: int :: {cell(p, i, s)} cell(p, i, s) == p + i * s);
function is_set(i: int): bool;
axiom (forall i: int :: is_set(i) <==> i != 0);

function {:inline true} at_most(x: int, y: int): bool { x <= y }
function set_of(x: int): [int]bool;
axiom (forall x: int, y: int :: {set_of(x)[y]} set_of(x)[y] ==> at_most(x, y));

const heap: int;
axiom heap == 100;
var memory: [int]int;

procedure main()
{
  memory[cell(heap, 0, 4)] := 0;
  async call first();
  async call second();
}

procedure first()
{
  memory[cell(heap, 0, 4)] := 1;
}

procedure second()
{
  var seen: int;
  seen := memory[cell(heap, 0, 4)];
  assert at_most(seen, 1) && is_set(seen); //~ assertion
}
