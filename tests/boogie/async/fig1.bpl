//@ run(all): explore
//@ exit(all): 1
//@ run(dfw0): explore --scheduler dfw --delays 0
//@ exit(dfw0): 0
//@ run(dfw1): explore --scheduler dfw --delays 1
//@ exit(dfw1): 1
// Fig. 1 of the async paper: the base class starts LoadState without waiting for it, so the image may be used
// before it is there.
type image;
const unique null: image;
const unique loaded: image;
var m_bmp: image;

procedure PlayIntroSoundAsync()
{
  yield;
}

procedure OpenReadAsync()
{
  yield;
}

procedure LoadState()
  modifies m_bmp;
{
  var t: task;
  async call t := OpenReadAsync();
  wait t;
  m_bmp := loaded;
}

procedure BaseOnNavigatedTo()
  modifies m_bmp;
{
  async call LoadState();
}

procedure OnNavigatedTo()
  modifies m_bmp;
{
  var t: task;
  call BaseOnNavigatedTo();
  async call t := PlayIntroSoundAsync();
  wait t;
  assert {:msg "m_bmp is used before it is loaded"} m_bmp != null; //~(all) assertion
}

procedure main()
  modifies m_bmp;
{
  m_bmp := null;
  async call OnNavigatedTo();
}
