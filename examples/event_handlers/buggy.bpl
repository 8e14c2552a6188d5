// A window of a mail program that shows the message which the user selects. Handlers of events are tasks. A handler that
// waits for the server gives others time to run.

var is_open: bool;  // whether the window is there
var shown: int;     // the message in it; 0 is none

procedure main()
  modifies is_open, shown;
{
  is_open := true;
  shown := 0;
  async call on_select(7);
  async call on_close();
}

// The user has clicked on a message.
procedure on_select(number: int)
  modifies is_open, shown;
{
  var reply: task;
  var message: int;

  if (is_open) {
    async call reply := fetch(number);
    message := wait reply;
    call show(message);
  }
}

// Gets a message from the server.
procedure fetch(number: int) returns (message: int)
{
  message := number;
}

// Draws a message. There has to be a window to draw on.
procedure show(message: int)
  modifies shown;
{
  assert is_open;
  shown := message;
}

// The user has closed the window.
procedure on_close()
  modifies is_open, shown;
{
  is_open := false;
  shown := 0;
}
