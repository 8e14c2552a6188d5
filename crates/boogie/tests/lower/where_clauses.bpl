// What is known of a variable whenever it becomes arbitrary.
var g: int where g > 0;

procedure main(p: int where p > 1) returns (r: int where r > 2)
{
  var l: int where l > p;
  havoc l, r;
  havoc g;
}
