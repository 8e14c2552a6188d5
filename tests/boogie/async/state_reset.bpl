//@ run(found): explore
//@ run(missed): explore --scheduler dfw --delays 0
//@ run(found): explore --scheduler dfw --delays 1
//@ run(missed): explore --scheduler df --delays 5
//@ run(found): explore --scheduler df --delays 6
//@ verdict(found): unsafe
//@ verdict(missed): safe
//@ run(violated): async --delays 1
//@ run(violated): async --scheduler df --delays 6
//@ run(passed): async --scheduler df --delays 5
//@ run(passed): async --delays 0
//@ verdict(violated): violation
//@ verdict(passed): none-within-bounds
// A handler keeps the order it works on in a field of the page and goes through five awaited calls. Meanwhile another
// handler resets that field, after an `await` of its own. When the first handler goes on, its order is gone. DF(K) pays
// for each of the five links and for the other handler's `await`; DFW(K) needs one delay.
var order: int;
var stock: int;

procedure ValidateAsync(number: int) returns (ok: bool) { ok := number > 0; }
procedure ReserveAsync() modifies stock; { stock := stock - 1; }
procedure ChargeAsync(number: int) returns (receipt: int) { receipt := number + 100; }
procedure ShipAsync(number: int) { yield; }
procedure MailAsync(receipt: int) { yield; }
procedure ConfirmAsync() returns (ok: bool) { ok := true; }

procedure OnBuyClicked(number: int)
modifies order, stock;
{
  var t: task;
  var ok: bool;
  var receipt: int;
  order := number;
  async call t := ValidateAsync(number);
  ok := wait t;
  if (!ok) { return; }
  async call t := ReserveAsync();
  wait t;
  async call t := ChargeAsync(number);
  receipt := wait t;
  async call t := ShipAsync(number);
  wait t;
  async call t := MailAsync(receipt);
  wait t;
  assert {:msg "the order was reset"} order == number; //~(found) assertion
}

procedure OnClearClicked()
modifies order;
{
  var t: task;
  var ok: bool;
  async call t := ConfirmAsync();
  ok := wait t;
  if (ok) { order := 0; }
}

procedure main()
modifies order, stock;
{
  order, stock := 0, 1;
  async call OnBuyClicked(7);
  async call OnClearClicked();
}
