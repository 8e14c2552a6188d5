//! Evaluation of expressions, reading and assigning of variables and cells.

use ir::{BinaryOp, Type};
use smallvec::SmallVec;

use crate::Cut;
use crate::code::{Base, BvExpr, Cell, Ex, Expr};
use crate::guided::Unset;
use crate::machine::{Machine, Touch};
use crate::word::{Domain, UNSET, Word, sign_extend, truncate};

pub(crate) type Eval = Result<Word, Box<Cut>>;
pub(crate) type Words = SmallVec<[Word; 8]>;

/// A step that applies functions or tries values of quantified variables this often is cut.
const MOST_EFFORT: u32 = 1 << 22;

/// The word of a computed integer.
pub(crate) fn int(value: Option<i64>) -> Eval {
    match value.map(i64::cast_unsigned) {
        Some(word) if word != UNSET => Ok(word),
        _ => Err(Box::new(Cut::Range)),
    }
}

/// The word of a computed bit vector.
fn bits(word: Word) -> Eval {
    if word == UNSET { Err(Box::new(Cut::Range)) } else { Ok(word) }
}

impl Machine<'_> {
    pub(crate) fn eval(&mut self, e: Ex) -> Eval {
        let code = self.code;
        match &code.exprs[e as usize] {
            Expr::Const(word) => Ok(*word),
            Expr::Global(global) => {
                let word = self.words[*global as usize];
                if word == UNSET || self.recording {
                    return self.read_global(*global);
                }
                Ok(word)
            }
            Expr::Local(local) => {
                let word = self.words[self.frame + *local as usize];
                if word == UNSET {
                    return self.choose_local(*local);
                }
                Ok(word)
            }
            Expr::Cell(cell) => self.read(&code.cells[*cell as usize]),
            Expr::Bound(level) => match self.env[self.env_base + *level as usize] {
                // Bounds of another variable are looked for, and this one has no value yet.
                UNSET => Err(Box::new(Cut::Unsupported("a variable without a value".to_owned()))),
                word => Ok(word),
            },
            Expr::SelfTask => Ok(self.me as Word + 1),
            Expr::Not(a) => Ok(self.eval(*a)? ^ 1),
            Expr::Neg(a) => int(self.int(*a)?.checked_neg()),
            Expr::And(a, b) => {
                if self.eval(*a)? == 0 {
                    Ok(0)
                } else {
                    self.eval(*b)
                }
            }
            Expr::Or(a, b) => {
                if self.eval(*a)? == 0 {
                    self.eval(*b)
                } else {
                    Ok(1)
                }
            }
            Expr::Implies(a, b) => {
                if self.eval(*a)? == 0 {
                    Ok(1)
                } else {
                    self.eval(*b)
                }
            }
            Expr::Equal(a, b, negate) => Ok(Word::from((self.eval(*a)? == self.eval(*b)?) != *negate)),
            Expr::Add(a, b) => int(self.int(*a)?.checked_add(self.int(*b)?)),
            Expr::Sub(a, b) => int(self.int(*a)?.checked_sub(self.int(*b)?)),
            Expr::Mul(a, b) => int(self.int(*a)?.checked_mul(self.int(*b)?)),
            Expr::Div(a, b) => {
                let (a, b) = (self.int(*a)?, self.divisor(*b)?);
                int(a.checked_div_euclid(b))
            }
            Expr::Mod(a, b) => {
                let (a, b) = (self.int(*a)?, self.divisor(*b)?);
                int(a.checked_rem_euclid(b))
            }
            Expr::Less(a, b) => Ok(Word::from(self.int(*a)? < self.int(*b)?)),
            Expr::LessEq(a, b) => Ok(Word::from(self.int(*a)? <= self.int(*b)?)),
            Expr::Ite(c, a, b) => {
                if self.eval(*c)? == 0 {
                    self.eval(*b)
                } else {
                    self.eval(*a)
                }
            }
            Expr::Store(store) => {
                let map = self.eval(store.map)?;
                let key = self.eval_all(&store.key)?;
                let value = self.eval(store.value)?;
                Ok(self.maps.set(map, &key, value, store.nested))
            }
            Expr::ConstMap { value, arity, nested } => {
                let value = self.eval(*value)?;
                Ok(self.maps.constant(*arity as usize, value, *nested))
            }
            Expr::Bv(bv) => self.bv(*bv),
            Expr::Apply { body, args } => self.apply(*body, args),
            Expr::Quant(quant) => self.quantified(quant),
            Expr::Unsupported(what) => Err(Box::new(Cut::Unsupported(what.to_string()))),
        }
    }

    pub(crate) fn eval_all(&mut self, exprs: &[Ex]) -> Result<Words, Box<Cut>> {
        exprs.iter().map(|&e| self.eval(e)).collect()
    }

    fn int(&mut self, e: Ex) -> Result<i64, Box<Cut>> {
        self.eval(e).map(u64::cast_signed)
    }

    /// Division by zero has no defined value in Boogie and SMT-LIB.
    fn divisor(&mut self, e: Ex) -> Result<i64, Box<Cut>> {
        match self.int(e)? {
            0 => Err(Box::new(Cut::Unsupported("division by zero".to_owned()))),
            divisor => Ok(divisor),
        }
    }

    /// Counts an application or an instance of a quantifier: nested, a few lines of them can take for ever.
    pub(crate) fn count_effort(&mut self) -> Result<(), Box<Cut>> {
        self.effort += 1;
        if self.effort > MOST_EFFORT { Err(Box::new(Cut::LongStep)) } else { Ok(()) }
    }

    fn apply(&mut self, body: Ex, args: &[Ex]) -> Eval {
        self.count_effort()?;
        let args = self.eval_all(args)?;
        let (base, length) = (self.env_base, self.env.len());
        self.env_base = length;
        self.env.extend_from_slice(&args);
        let result = self.eval(body);
        self.env.truncate(length);
        self.env_base = base;
        result
    }

    fn bv(&mut self, bv: BvExpr) -> Eval {
        match bv {
            BvExpr::Binary { op, a, b, width } => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                bits(bv_binary(op, a, b, width))
            }
            BvExpr::Concat { a, b, low_width } => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                bits(a.checked_shl(low_width).unwrap_or(0) | b)
            }
            BvExpr::Neg { a, width } => bits(truncate(self.eval(a)?.wrapping_neg(), width)),
            BvExpr::Not { a, width } => bits(truncate(!self.eval(a)?, width)),
            BvExpr::Extract { a, lo, width } => bits(truncate(self.eval(a)? >> lo.min(63), width)),
            BvExpr::ZeroExtend(a) => self.eval(a),
            BvExpr::SignExtend { a, from, to } => {
                bits(truncate(sign_extend(self.eval(a)?, from).cast_unsigned(), to))
            }
            BvExpr::FromInt { a, width } => bits(truncate(self.eval(a)?, width)),
            BvExpr::ToInt(a) => int(i64::try_from(self.eval(a)?).ok()),
            BvExpr::ToSignedInt { a, width } => int(Some(sign_extend(self.eval(a)?, width))),
        }
    }

    /// An arbitrary value of a type other than a map.
    pub(crate) fn choose_value(&mut self, ty: &Type, what: Unset<'_>) -> Eval {
        match ty {
            Type::Bool => self.choose(Domain::Bool, what),
            Type::Int => self.choose(Domain::Int, what),
            Type::Bv(width) => self.choose(Domain::Bv(*width), what),
            Type::Sort(sort) => {
                let known = self.guided.is_some() || self.oracle.is_scripted();
                let sizes = if known { &self.code.most_elements } else { &self.code.sort_sizes };
                self.choose(Domain::Sort(sizes[sort.as_u32() as usize]), what)
            }
            // A handle that nobody assigned is nil.
            Type::Task => Ok(0),
            Type::Map(_) | Type::Sync(_) => Err(Box::new(Cut::Unsupported(
                "copying or comparing a map that has arbitrary cells".to_owned(),
            ))),
        }
    }

    #[cold]
    fn read_global(&mut self, global: u32) -> Eval {
        if self.recording && self.code.globals[global as usize].is_variable {
            self.effects.touches.push(Touch { global, key: Vec::new(), write: false });
        }
        let word = self.words[global as usize];
        if word != UNSET {
            return Ok(word);
        }
        let code = self.code;
        let value = self.choose_value(&code.globals[global as usize].ty, Unset::Global(global))?;
        self.words[global as usize] = value;
        Ok(value)
    }

    #[cold]
    fn choose_local(&mut self, local: u32) -> Eval {
        let code = self.code;
        let proc = code.instr(self.pc()).proc;
        let ty = &code.procs[proc].locals[local as usize].1;
        let value = self.choose_value(ty, Unset::Local(self.me, local))?;
        self.words[self.frame + local as usize] = value;
        self.note_arbitrary(local, crate::machine::Arbitrary::Is(value));
        Ok(value)
    }

    /// The indices on the way to a cell, one after the other.
    pub(crate) fn key(&mut self, cell: &Cell) -> Result<Words, Box<Cut>> {
        let mut key = Words::new();
        for &e in cell.path.iter().flatten() {
            key.push(self.eval(e)?);
        }
        Ok(key)
    }

    pub(crate) fn read(&mut self, cell: &Cell) -> Eval {
        let key = self.key(cell)?;
        let mut word = match cell.base {
            Base::Global(global) => {
                self.touch(cell, &key, false);
                self.words[global as usize]
            }
            Base::Local(local) => self.words[self.frame + local as usize],
            Base::Value(e) => self.eval(e)?,
        };
        let mut rest = &key[..];
        for indices in &cell.path {
            let (now, later) = rest.split_at(indices.len());
            word = self.maps.get(word, now);
            rest = later;
        }
        if cell.ty.as_map().is_some() {
            let total = self.maps.is_total(word);
            return if total { Ok(word) } else { self.choose_value(&cell.ty, Unset::Cell(cell, &key)) };
        }
        if word == UNSET {
            word = self.choose_value(&cell.ty, Unset::Cell(cell, &key))?;
            if !matches!(cell.base, Base::Value(_)) {
                self.effects.chose_cell |= !cell.path.is_empty();
                self.put(cell, &key, word);
            }
        }
        Ok(word)
    }

    /// Assigns a cell whose indices have been evaluated.
    pub(crate) fn write(&mut self, cell: &Cell, key: &[Word], value: Word) {
        self.touch(cell, key, true);
        self.put(cell, key, value);
    }

    fn put(&mut self, cell: &Cell, key: &[Word], value: Word) {
        let at = match cell.base {
            Base::Global(global) => global as usize,
            Base::Local(local) => self.frame + local as usize,
            Base::Value(_) => return,
        };
        let old = self.words[at];
        self.words[at] = self.with_cell(old, &cell.path, key, value, cell.ty.as_map().is_some());
    }

    fn with_cell(&mut self, map: Word, path: &[Box<[Ex]>], key: &[Word], value: Word, nested: bool) -> Word {
        let Some((indices, deeper)) = path.split_first() else { return value };
        let (now, later) = key.split_at(indices.len());
        if deeper.is_empty() {
            return self.maps.set(map, now, value, nested);
        }
        let inner = self.maps.get(map, now);
        let inner = self.with_cell(inner, deeper, later, value, nested);
        self.maps.set(map, now, inner, true)
    }

    fn touch(&mut self, cell: &Cell, key: &[Word], write: bool) {
        if let (true, Base::Global(global)) = (self.recording, cell.base)
            && self.code.globals[global as usize].is_variable
        {
            self.effects.touches.push(Touch { global, key: key.to_vec(), write });
        }
    }
}

fn bv_binary(op: BinaryOp, a: Word, b: Word, width: u32) -> Word {
    let signed = |word| sign_extend(word, width);
    let cut = |word| truncate(word, width);
    let minus = |word: Word| cut(word.wrapping_neg());
    match op {
        BinaryOp::BvAdd => cut(a.wrapping_add(b)),
        BinaryOp::BvSub => cut(a.wrapping_sub(b)),
        BinaryOp::BvMul => cut(a.wrapping_mul(b)),
        BinaryOp::BvUdiv => a.checked_div(b).unwrap_or_else(|| cut(u64::MAX)),
        BinaryOp::BvUrem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::BvSdiv if b == 0 => {
            if signed(a) < 0 {
                1
            } else {
                cut(u64::MAX)
            }
        }
        BinaryOp::BvSdiv => cut(signed(a).wrapping_div(signed(b)).cast_unsigned()),
        BinaryOp::BvSrem | BinaryOp::BvSmod if b == 0 => a,
        BinaryOp::BvSrem => cut(signed(a).wrapping_rem(signed(b)).cast_unsigned()),
        BinaryOp::BvSmod => {
            // The remainder has the sign of the divisor.
            let rest = signed(a).wrapping_rem(signed(b));
            let other_sign = rest != 0 && (rest < 0) != (signed(b) < 0);
            cut((if other_sign { rest.wrapping_add(signed(b)) } else { rest }).cast_unsigned())
        }
        BinaryOp::BvShl => {
            if b >= u64::from(width) {
                0
            } else {
                cut(a << b)
            }
        }
        BinaryOp::BvLshr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        BinaryOp::BvAshr => cut((signed(a) >> b.min(63)).cast_unsigned()),
        BinaryOp::BvAnd => a & b,
        BinaryOp::BvOr => a | b,
        BinaryOp::BvXor => a ^ b,
        BinaryOp::BvUlt => Word::from(a < b),
        BinaryOp::BvUle => Word::from(a <= b),
        BinaryOp::BvUgt => Word::from(a > b),
        BinaryOp::BvUge => Word::from(a >= b),
        BinaryOp::BvSlt => Word::from(signed(a) < signed(b)),
        BinaryOp::BvSle => Word::from(signed(a) <= signed(b)),
        BinaryOp::BvSgt => Word::from(signed(a) > signed(b)),
        BinaryOp::BvSge => Word::from(signed(a) >= signed(b)),
        // No other operator is compiled to a bit-vector operation.
        _ => minus(0),
    }
}
