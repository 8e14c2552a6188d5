// The bank example with 2 threads, repaired by half: who takes money from an account keeps it busy, and whoever puts money into it
// waits until it is not. But who puts money into an account can still be interrupted.
//@ run: predict --check atomicity
//@ verdict: violations
//@ kind: atomicity

var balance: [int]int;
var busy: [int]bool;
var bank: mutex;
var account: [int]mutex;

procedure main()
{
  var t0: task;
  var t1: task;
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
  atomic {
    assume !busy[from];
    busy[from] := true;
  }
  call Withdraw(from, 10);
  busy[from] := false;
  call Deposit(to, 10);
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
  atomic {
    assume !busy[a];
    balance[a] := b + amount;
  }
}
