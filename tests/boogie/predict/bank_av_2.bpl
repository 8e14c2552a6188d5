// The bank example (Farchi, Nir and Ur, 2003) with 2 threads, each of which moves money between two accounts. Every access is under
// the locks of the bank and of the account, but a transfer reads and writes a balance in two sections: the bug.
//@ run: predict --check atomicity
//@ verdict: violations
//@ kind: atomicity

var balance: [int]int;
var bank: mutex;
var account: [int]mutex;

procedure main()
{
  var t0: task;
  var t1: task;
  balance[0] := 100;
  balance[1] := 100;
  async call t0 := Teller(0, 1);
  async call t1 := Teller(1, 0);
  wait t0;
  wait t1;
}

procedure Teller(from: int, to: int)
{
  call Withdraw(from, 10);
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
  acquire bank;
  acquire account[a];
  balance[a] := b + amount;
  release account[a];
  release bank;
}
