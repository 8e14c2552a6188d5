//@ run(none): async --switch-at yield --delays 1
//@ run(found): async --switch-at yield --delays 2
//@ run(found): async --switch-at yield --scheduler df --delays 2
//@ run(safe): explore --switch-at yield --scheduler dfw --delays 1
//@ run(unsafe): explore --switch-at yield --scheduler dfw --delays 2
//@ verdict(none): none-within-bounds
//@ verdict(found): violation
//@ verdict(safe): safe
//@ verdict(unsafe): unsafe
// Two handlers of a loop that switches at yields only. A transfer is in one piece, so it takes two switches to see the
// account between the two halves of an audit.
var account, savings: int;

procedure transfer(amount: int)
modifies account, savings;
{
  account := account - amount;
  savings := savings + amount;
}

procedure audit()
{
  var seen: int;
  seen := account;
  yield;
  seen := seen + savings;
  assert {:msg "money is counted twice"} seen == 1; //~(found) assertion
}

procedure main()
modifies account, savings;
{
  account, savings := 1, 0;
  async call transfer(1);
  async call audit();
}
