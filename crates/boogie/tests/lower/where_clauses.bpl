// What is known of a variable whenever it becomes arbitrary; an implementation may call it something else.
var g: int where g > 0;

procedure main(p: int where p > 1) returns (r: int where r > p);

implementation main(q: int) returns (p: int)
{
  var l: int where l > q;
  havoc l, p;
  havoc g;
}
