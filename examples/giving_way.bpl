// Two threads that want the same thing, and each gives way when it sees that the other wants it too. They can give way
// to each other for ever: both run all the time, and neither gets anywhere.

var left_wants: bool;
var right_wants: bool;

procedure {:thread} left()
modifies left_wants;
{
  left_wants := true;
  while (right_wants) {
    left_wants := false;
    left_wants := true;
  }
  left_wants := false;
}

procedure {:thread} right()
modifies right_wants;
{
  right_wants := true;
  while (left_wants) {
    right_wants := false;
    right_wants := true;
  }
  right_wants := false;
}
