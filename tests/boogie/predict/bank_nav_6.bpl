// The bank example with 6 threads, repaired: both accounts of a transfer are kept busy by flags, so that nobody changes them in the
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
  var t2: task;
  var t3: task;
  var t4: task;
  var t5: task;
  served := 0;
  balance[0] := 100;
  busy[0] := false;
  balance[1] := 100;
  busy[1] := false;
  balance[2] := 100;
  busy[2] := false;
  balance[3] := 100;
  busy[3] := false;
  balance[4] := 100;
  busy[4] := false;
  balance[5] := 100;
  busy[5] := false;
  async call t0 := Teller(0, 1);
  async call t1 := Teller(1, 2);
  async call t2 := Teller(2, 3);
  async call t3 := Teller(3, 4);
  async call t4 := Teller(4, 5);
  async call t5 := Teller(5, 0);
  wait t0;
  wait t1;
  wait t2;
  wait t3;
  wait t4;
  wait t5;
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
