// The assertion is not among the events of the run: the reader comes first, and finds that nothing is ready. In another order it takes
// the other way, and the program is run on from there.
//@ run: predict --check assertion
//@ verdict: violations
//@ kind: assertion

var ready: bool;
var data: int;

procedure main()
{
  ready := false;
  data := 0;
  async call reader();
  async call writer();
}

procedure reader()
{
  var seen: bool;
  seen := ready;
  if (seen) {
    assert data == 1; //~ assertion
  }
}

procedure writer()
{
  ready := true;
  data := 1;
}
