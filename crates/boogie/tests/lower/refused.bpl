// What the IR cannot express is refused where it is used, with everything found in one run.
type Ref;
var heap: <t>[Ref, t]t;
var r: real;
const c: Ref;
function {:bvbuiltin "bvrotate"} rotate(bv8): bv8;
function poly<t>(x: t): t;

procedure main(x: bv8)
{
  var y: bv8;
  var z: int;
  heap[c, 1] := 2;
  r := 1.5;
  y := rotate(x);
  goto inside;
  atomic { inside: z := 1; }
  call forall helper(*);
  call generic(z);
  assert |{ A: goto B; B: return true; }|;
}

procedure helper(i: int) { }
procedure generic<t>(x: t) { }
