// The bank example with 4 threads, repaired: who takes money from an account or puts money into it keeps it busy, and others wait
// until it is not. Locks alone do not show that.
//@ run: predict --check atomicity
//@ verdict: none

var balance: [int]int;
var busy: [int]bool;
var bank: mutex;
var account: [int]mutex;

procedure main()
{
  var t0: task;
  var t1: task;
  var t2: task;
  var t3: task;
  balance[0] := 100;
  busy[0] := false;
  balance[1] := 100;
  busy[1] := false;
  balance[2] := 100;
  busy[2] := false;
  balance[3] := 100;
  busy[3] := false;
  async call t0 := Teller(0, 1);
  async call t1 := Teller(1, 2);
  async call t2 := Teller(2, 3);
  async call t3 := Teller(3, 0);
  wait t0;
  wait t1;
  wait t2;
  wait t3;
}

procedure Teller(from: int, to: int)
{
  atomic {
    assume !busy[from];
    busy[from] := true;
  }
  call Withdraw(from, 10);
  busy[from] := false;
  atomic {
    assume !busy[to];
    busy[to] := true;
  }
  call Deposit(to, 10);
  busy[to] := false;
}

procedure {:transaction} Withdraw(a: int, amount: int)
{
  var b: int;
  acquire bank;
  acquire account[a];
  b := balance[a];
  release account[a];
  release bank;
  acquire bank;
  acquire account[a];
  balance[a] := b - amount;
  release account[a];
  release bank;
}

procedure {:transaction} Deposit(a: int, amount: int)
{
  var b: int;
  acquire bank;
  acquire account[a];
  b := balance[a];
  release account[a];
  release bank;
  acquire bank;
  acquire account[a];
  balance[a] := b + amount;
  release account[a];
  release bank;
}
