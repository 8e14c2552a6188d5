// The bank example with 2 threads, repaired: both accounts of a transfer are kept busy by flags, so that nobody changes them in the
// middle. Locks alone do not show that.
//@ run: predict --check atomicity
//@ verdict: none

var balance: [int]int;
var busy: [int]bool;
var bank: mutex;
var account: [int]mutex;
var served: int;

procedure main()
{
  var t0: task;
  var t1: task;
  served := 0;
  balance[0] := 100;
  busy[0] := false;
  balance[1] := 100;
  busy[1] := false;
  async call t0 := Teller(0, 1);
  async call t1 := Teller(1, 0);
  wait t0;
  wait t1;
}

procedure Teller(from: int, to: int)
{
  acquire bank;
  served := served + 1;
  release bank;
  atomic {
    assume !busy[from] && !busy[to];
    busy[from], busy[to] := true, true;
  }
  call Transfer(from, to, 10);
  atomic {
    busy[from], busy[to] := false, false;
  }
}

procedure {:transaction} Transfer(from: int, to: int, amount: int)
{
  var b: int;
  acquire bank;
  acquire account[from];
  b := balance[from];
  release account[from];
  release bank;
  acquire bank;
  acquire account[from];
  balance[from] := b - amount;
  release account[from];
  release bank;
  acquire bank;
  acquire account[to];
  b := balance[to];
  release account[to];
  release bank;
  acquire bank;
  acquire account[to];
  balance[to] := b + amount;
  release account[to];
  release bank;
}
