// The entry has nothing to do.
procedure main();
