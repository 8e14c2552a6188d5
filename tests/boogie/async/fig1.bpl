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
// Fig. 1 of the async paper: the base class starts LoadState and does not wait for it. So the page may use the picture
// while LoadState still waits for the stream that fills it, or even before there is a picture.
type bitmap;
const unique null: bitmap;
const unique blank: bitmap;
const unique pic: bitmap;
var m_bmp: bitmap;
var source: bitmap;

procedure PlayIntroSoundAsync() { yield; }
procedure GetFileFromApplicationUriAsync() returns (file: int) { file := 1; }
procedure OpenReadAsync(file: int) returns (stream: int) { stream := file; }
procedure SetSourceAsync(stream: int) modifies m_bmp; { m_bmp := pic; }

procedure LoadState()
modifies m_bmp;
{
  var t: task;
  var file, stream: int;
  m_bmp := blank;
  async call t := GetFileFromApplicationUriAsync();
  file := wait t;
  async call t := OpenReadAsync(file);
  stream := wait t;
  async call t := SetSourceAsync(stream);
  wait t;
}

procedure BaseOnNavigatedTo()
modifies m_bmp;
{
  async call LoadState();
}

procedure OnNavigatedTo()
modifies m_bmp, source;
{
  var t: task;
  call BaseOnNavigatedTo();
  async call t := PlayIntroSoundAsync();
  wait t;
  source := m_bmp;
  assert {:msg "m_bmp is used before it is loaded"} source == pic; //~(found) assertion
}

procedure main()
modifies m_bmp, source;
{
  m_bmp, source := null, null;
  async call OnNavigatedTo();
}
