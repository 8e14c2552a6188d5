// There is nothing to start with.
procedure p() { }
