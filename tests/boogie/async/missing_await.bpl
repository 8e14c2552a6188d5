//@ run(found): explore
//@ run(missed): explore --scheduler dfw --delays 0
//@ run(found): explore --scheduler dfw --delays 1
//@ run(missed): explore --scheduler df --delays 1
//@ run(found): explore --scheduler df --delays 2
//@ verdict(found): unsafe
//@ verdict(missed): safe
//@ run(violated): async --delays 1
//@ run(violated): async --scheduler df --delays 2
//@ run(passed): async --scheduler df --delays 1
//@ run(passed): async --delays 0
//@ verdict(violated): violation
//@ verdict(passed): none-within-bounds
// A handler saves a document and shows it again, but the `await` before the call that saves is missing: the document
// may be read before it is written. There is no chain of calls before the mistake, so the schedulers differ little.
var file: int;
var shown: int;

procedure OpenForWritingAsync() returns (stream: int)
{
  stream := 1;
}

procedure SaveAsync(text: int)
modifies file;
{
  var t: task;
  var stream: int;
  async call t := OpenForWritingAsync();
  stream := wait t;
  if (stream != 0) {
    file := text;
  }
}

procedure ReadAsync() returns (text: int)
{
  text := file;
}

procedure OnSaveClicked(text: int)
modifies file, shown;
{
  var t: task;
  async call SaveAsync(text);
  async call t := ReadAsync();
  shown := wait t;
  assert {:msg "an old document is shown"} shown == text; //~(found) assertion
}

procedure main()
modifies file, shown;
{
  file, shown := 0, 0;
  async call OnSaveClicked(7);
}
