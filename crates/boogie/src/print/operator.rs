//! Operators: how tightly they bind, and those that Boogie has as declared functions only.

use ir::{BinaryOp, UnaryOp};

use super::name::Taken;

/// How tightly an expression holds together: one that is weaker than its place needs stands in brackets.
pub(super) mod strength {
    /// Between commas or brackets: anything.
    pub(crate) const OPEN: u8 = 0;
    pub(crate) const IFF: u8 = 1;
    pub(crate) const IMPLIES: u8 = 2;
    /// `&&` and `||`, which do not mix.
    pub(crate) const LOGIC: u8 = 3;
    pub(crate) const RELATION: u8 = 4;
    pub(crate) const CONCAT: u8 = 5;
    pub(crate) const SUM: u8 = 6;
    pub(crate) const PRODUCT: u8 = 7;
    pub(crate) const PREFIX: u8 = 8;
    /// Names, literals, and what ends with a bracket.
    pub(crate) const CLOSED: u8 = 9;
}

/// The symbol and strength of an operator that is written between its operands.
pub(super) fn infix(op: BinaryOp) -> Option<(&'static str, u8)> {
    use BinaryOp::{Add, And, Concat, Div, Eq, Ge, Gt, Iff, Implies, Le, Lt, Mod, Mul, Ne, Or, Sub};
    Some(match op {
        Iff => ("<==>", strength::IFF),
        Implies => ("==>", strength::IMPLIES),
        And => ("&&", strength::LOGIC),
        Or => ("||", strength::LOGIC),
        Eq => ("==", strength::RELATION),
        Ne => ("!=", strength::RELATION),
        Lt => ("<", strength::RELATION),
        Le => ("<=", strength::RELATION),
        Gt => (">", strength::RELATION),
        Ge => (">=", strength::RELATION),
        Concat => ("++", strength::CONCAT),
        Add => ("+", strength::SUM),
        Sub => ("-", strength::SUM),
        Mul => ("*", strength::PRODUCT),
        Div => ("div", strength::PRODUCT),
        Mod => ("mod", strength::PRODUCT),
        _ => return None,
    })
}

/// The name of an operator on two bit vectors in SMT-LIB, and whether it compares them.
fn bit_operator(op: BinaryOp) -> Option<(&'static str, bool)> {
    use BinaryOp::{
        BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvSge, BvSgt, BvShl, BvSle, BvSlt, BvSmod, BvSrem,
        BvSub, BvUdiv, BvUge, BvUgt, BvUle, BvUlt, BvUrem, BvXor,
    };
    Some(match op {
        BvAdd => ("bvadd", false),
        BvSub => ("bvsub", false),
        BvMul => ("bvmul", false),
        BvUdiv => ("bvudiv", false),
        BvSdiv => ("bvsdiv", false),
        BvUrem => ("bvurem", false),
        BvSrem => ("bvsrem", false),
        BvSmod => ("bvsmod", false),
        BvShl => ("bvshl", false),
        BvLshr => ("bvlshr", false),
        BvAshr => ("bvashr", false),
        BvAnd => ("bvand", false),
        BvOr => ("bvor", false),
        BvXor => ("bvxor", false),
        BvUlt => ("bvult", true),
        BvUle => ("bvule", true),
        BvUgt => ("bvugt", true),
        BvUge => ("bvuge", true),
        BvSlt => ("bvslt", true),
        BvSle => ("bvsle", true),
        BvSgt => ("bvsgt", true),
        BvSge => ("bvsge", true),
        _ => return None,
    })
}

/// The functions that were declared for operators, in the order of their first use.
#[derive(Clone, Debug)]
pub(super) struct Operators {
    taken: Taken,
    /// The wanted name, the name, the declaration.
    declared: Vec<(String, String, String)>,
}

impl Operators {
    /// None yet; the names of functions and procedures are taken.
    pub(super) fn new(taken: Taken) -> Operators {
        Operators { taken, declared: Vec::new() }
    }

    pub(super) fn declarations(&self) -> String {
        self.declared.iter().map(|(.., declaration)| format!("{declaration}\n")).collect()
    }

    fn declare(&mut self, wanted: String, declaration: impl FnOnce(&str) -> String) -> String {
        if let Some((_, name, _)) = self.declared.iter().find(|(known, ..)| *known == wanted) {
            return name.clone();
        }
        let name = self.taken.give(&wanted);
        let text = declaration(&name);
        self.declared.push((wanted, name.clone(), text));
        name
    }

    /// An operator of the solver.
    fn builtin(&mut self, wanted: String, operator: &str, params: &str, result: &str) -> String {
        self.declare(wanted, |name| {
            format!("function {{:bvbuiltin \"{operator}\"}} {name}({params}) returns ({result});")
        })
    }

    /// The function for an operator on two bit vectors of a width.
    pub(super) fn binary(&mut self, op: BinaryOp, width: u32) -> Option<String> {
        let (operator, compares) = bit_operator(op)?;
        let result = if compares { "bool".to_owned() } else { format!("bv{width}") };
        let params = format!("a: bv{width}, b: bv{width}");
        Some(self.builtin(format!("{operator}.{width}"), operator, &params, &result))
    }

    /// The function for an operator on one operand; `width` is that of a bit vector operand.
    pub(super) fn unary(&mut self, op: UnaryOp, width: u32) -> Option<String> {
        let bits = format!("a: bv{width}");
        let same = format!("bv{width}");
        Some(match op {
            UnaryOp::BvNeg => self.builtin(format!("bvneg.{width}"), "bvneg", &bits, &same),
            UnaryOp::BvNot => self.builtin(format!("bvnot.{width}"), "bvnot", &bits, &same),
            UnaryOp::ZeroExtend(to) | UnaryOp::SignExtend(to) => {
                let zero = matches!(op, UnaryOp::ZeroExtend(_));
                let (name, operator) = if zero { ("zext", "zero_extend") } else { ("sext", "sign_extend") };
                let operator = format!("(_ {operator} {})", to.saturating_sub(width));
                self.builtin(format!("{name}.{width}.{to}"), &operator, &bits, &format!("bv{to}"))
            }
            UnaryOp::IntToBv(to) => self.builtin(
                format!("int_to_bv.{to}"),
                &format!("(_ int2bv {to})"),
                "a: int",
                &format!("bv{to}"),
            ),
            UnaryOp::BvToInt => self.builtin(format!("ubv_to_int.{width}"), "bv2int", &bits, "int"),
            UnaryOp::BvToSignedInt => self.signed(width)?,
            UnaryOp::Not | UnaryOp::Neg | UnaryOp::Extract { .. } => return None,
        })
    }

    /// Older solvers have no operator for the signed value.
    fn signed(&mut self, width: u32) -> Option<String> {
        let less = self.binary(BinaryOp::BvSlt, width)?;
        let value = self.unary(UnaryOp::BvToInt, width)?;
        let over = num_bigint::BigInt::from(1) << width;
        Some(self.declare(format!("sbv_to_int.{width}"), |name| {
            format!(
                "function {{:inline}} {name}(a: bv{width}) returns (int) {{ \
                 if {less}(a, 0bv{width}) then {value}(a) - {over} else {value}(a) }}"
            )
        }))
    }
}
