// Two transfers take two locks in opposite orders. Some schedules end in a deadlock, others do not.
var account1, account2: mutex;
var first, second: int;

procedure {:thread} Deposit()
  modifies account1, account2, first, second;
{
  while (true) {
    acquire account1;
    acquire account2;
    first := first + 1;
    second := second - 1;
    release account2;
    release account1;
  }
}

procedure {:thread} Withdraw()
  modifies account1, account2, first, second;
{
  while (true) {
    acquire account2;
    acquire account1;
    first := first - 1;
    second := second + 1;
    release account1;
    release account2;
  }
}
