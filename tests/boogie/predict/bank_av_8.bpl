// The bank example (Farchi, Nir and Ur, 2003) with 8 threads, each of which moves money between two accounts. Every access is under
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
  var t2: task;
  var t3: task;
  var t4: task;
  var t5: task;
  var t6: task;
  var t7: task;
  balance[0] := 100;
  balance[1] := 100;
  balance[2] := 100;
  balance[3] := 100;
  balance[4] := 100;
  balance[5] := 100;
  balance[6] := 100;
  balance[7] := 100;
  async call t0 := Teller(0, 1);
  async call t1 := Teller(1, 2);
  async call t2 := Teller(2, 3);
  async call t3 := Teller(3, 4);
  async call t4 := Teller(4, 5);
  async call t5 := Teller(5, 6);
  async call t6 := Teller(6, 7);
  async call t7 := Teller(7, 0);
  wait t0;
  wait t1;
  wait t2;
  wait t3;
  wait t4;
  wait t5;
  wait t6;
  wait t7;
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
