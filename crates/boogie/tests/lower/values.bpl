// Operators, functions, quantifiers; what is not reached is left out, whatever it is.
type Ref;
type Box a;
type Word = bv8;
const unique null: Ref;
const unused: real;
const k: int;
var a: [Ref, int]Word;
var boxes: [int]Box (Box int);
var unused_global: <t>[t]t;

function {:bvbuiltin "bvadd"} add(Word, Word): Word;
function {:bvbuiltin "(_ zero_extend 8)"} widen(Word): bv16;
function {:builtin "MapConst"} everywhere(bool): [int]bool;
function {:builtin "MapOr"} union([int]bool, [int]bool): [int]bool;
function {:inline} double(i: int): int { i + i }
function count(i: int): int { if i <= 0 then 0 else 1 + count(i - 1) }
function id<t>(x: t): t;
function unused_function(r: real): real { r * 2.0 }

axiom (forall i: int :: {double(i)} double(i) >= i || i < 0);
axiom k > 0;
axiom unused > 0.0;

procedure main()
{
  var w: Word;
  var wide: bv16;
  var s: [int]bool;
  var n: int;
  a := a[null, 1 := add(a[null, 2], 255bv8)];
  wide := widen(w) ; wide := w ++ w; w := wide[12:4];
  s := union(everywhere(true), (lambda i: int :: i > k));
  n := double(count(id(n))) div 2 mod 3 - -1;
  n := (var t := n + 1; t * t);
  assume (var p := (forall i: int :: s[i] || i < n); (forall i: int :: p ==> s[i]) && p);
  boxes[id(1)] := id(boxes[2]);
  assume (forall i, j: int :: i < j ==> (exists l: int :: i <= l && l <= j)) <==> !(n == 0 ==> s[n] ==> false);
  assert |{ var b: bool; L: b := n > 0; return b && s[n]; }|;
}
