//@ run: explore
//@ run: explore --scheduler dfw --delays 0
//@ run: explore --scheduler dfw --delays 1
//@ run: explore --scheduler df --delays 5
//@ run: explore --scheduler df --delays 6
//@ verdict(explore): safe
//@ run(passed): async --delays 1
//@ run(passed): async --scheduler df --delays 2
//@ verdict(passed): none-within-bounds
// `state_reset.bpl`, fixed: while an order is worked on, the other handler leaves it alone.
var order: int;
var busy: bool;
var stock: int;

procedure ValidateAsync(number: int) returns (ok: bool) { ok := number > 0; }
procedure ReserveAsync() modifies stock; { stock := stock - 1; }
procedure ChargeAsync(number: int) returns (receipt: int) { receipt := number + 100; }
procedure ShipAsync(number: int) { yield; }
procedure MailAsync(receipt: int) { yield; }
procedure ConfirmAsync() returns (ok: bool) { ok := true; }

procedure OnBuyClicked(number: int)
modifies order, busy, stock;
{
  var t: task;
  var ok: bool;
  var receipt: int;
  atomic { order, busy := number, true; }
  async call t := ValidateAsync(number);
  ok := wait t;
  if (!ok) { busy := false; return; }
  async call t := ReserveAsync();
  wait t;
  async call t := ChargeAsync(number);
  receipt := wait t;
  async call t := ShipAsync(number);
  wait t;
  async call t := MailAsync(receipt);
  wait t;
  assert {:msg "the order was reset"} order == number;
  busy := false;
}

procedure OnClearClicked()
modifies order;
{
  var t: task;
  var ok: bool;
  async call t := ConfirmAsync();
  ok := wait t;
  atomic { if (ok && !busy) { order := 0; } }
}

procedure main()
modifies order, busy, stock;
{
  order, busy, stock := 0, false, 1;
  async call OnBuyClicked(7);
  async call OnClearClicked();
}
