// No thread has such results: the join blocks for ever, as in Ultimate.
procedure ULTIMATE.start()
{
  var x: int;
  fork 1 quiet();
  join 1 assign x;
}
procedure quiet() { }
