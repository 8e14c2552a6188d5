//@ run: explore
//@ run: explore --scheduler dfw --delays 0
//@ run: explore --scheduler dfw --delays 1
//@ run: explore --scheduler df --delays 1
//@ run: explore --scheduler df --delays 2
//@ verdict(explore): safe
//@ run(passed): async --delays 1
//@ run(passed): async --scheduler df --delays 2
//@ verdict(passed): none-within-bounds
// `missing_await.bpl`, fixed: the call that saves is awaited.
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
  async call t := SaveAsync(text);
  wait t;
  async call t := ReadAsync();
  shown := wait t;
  assert {:msg "an old document is shown"} shown == text;
}

procedure main()
modifies file, shown;
{
  file, shown := 0, 0;
  async call OnSaveClicked(7);
}
