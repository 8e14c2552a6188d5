//! Random expressions without undefined behaviour, given that signed arithmetic wraps.

use super::Generator;
use super::scope::{INTS, Int, Scope};

/// An expression that can stand anywhere, and the type of its value.
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) ty: Int,
}

impl Generator {
    /// An expression with at most so many operators on top of each other.
    pub(super) fn expr(&mut self, scope: &Scope, depth: usize) -> Expr {
        if depth == 0 || self.rng.u32(0..6) == 0 {
            return self.leaf(scope);
        }
        match self.rng.u32(0..12) {
            0..=4 => self.arithmetic(scope, depth - 1),
            5 => self.division(scope, depth - 1),
            6 | 7 => self.shift(scope, depth - 1),
            8 => self.comparison(scope, depth - 1),
            9 => self.unary(scope, depth - 1),
            10 => {
                let ty = *self.pick(INTS);
                let of = self.expr(scope, depth - 1);
                Expr { text: format!("(({}){})", ty.name, of.text), ty }
            }
            _ => {
                let (cond, a, b) =
                    (self.expr(scope, depth - 1), self.expr(scope, depth - 1), self.expr(scope, depth - 1));
                Expr { text: format!("({} ? {} : {})", cond.text, a.text, b.text), ty: a.ty.common(b.ty) }
            }
        }
    }

    fn leaf(&mut self, scope: &Scope) -> Expr {
        match self.rng.u32(0..8) {
            0 | 1 => {
                let ty = *self.pick(INTS);
                Expr { text: self.literal(ty), ty }
            }
            2 | 3 if !scope.arrays.is_empty() => {
                let (text, ty) = self.element(scope, 0);
                Expr { text, ty }
            }
            _ if !scope.scalars.is_empty() => {
                let (text, ty) = self.pick(&scope.scalars).clone();
                Expr { text, ty }
            }
            _ => Expr { text: self.literal(Int::INT), ty: Int::INT },
        }
    }

    /// An element of an array that is there, at a computed index.
    pub(super) fn element(&mut self, scope: &Scope, depth: usize) -> (String, Int) {
        let (name, ty, length) = self.pick(&scope.arrays).clone();
        let index = match self.rng.u32(0..3) {
            0 => self.rng.u64(0..length).to_string(),
            _ => {
                let index =
                    if depth == 0 { self.scalar_or_number(scope) } else { self.expr(scope, depth).text };
                format!("(unsigned){index} & {}", length - 1)
            }
        };
        (format!("{name}[{index}]"), ty)
    }

    fn scalar_or_number(&mut self, scope: &Scope) -> String {
        if scope.scalars.is_empty() { "3".to_owned() } else { self.pick(&scope.scalars).0.clone() }
    }

    fn arithmetic(&mut self, scope: &Scope, depth: usize) -> Expr {
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
        Expr { text: format!("({} {op} {})", a.text, b.text), ty: a.ty.common(b.ty) }
    }

    /// The divisor is between 1 and 8, or between -9 and -2: neither zero, nor the one that overflows.
    fn division(&mut self, scope: &Scope, depth: usize) -> Expr {
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        let op = self.pick(&["/", "%"]);
        let divisor = match self.rng.u32(0..3) {
            0 => format!("(-((int)({} & 7) + 2))", b.text),
            _ => format!("((int)({} & 7) + 1)", b.text),
        };
        Expr { text: format!("({} {op} {divisor})", a.text), ty: a.ty.common(Int::INT) }
    }

    /// The value is unsigned where it is shifted to the left, and the distance less than its width.
    fn shift(&mut self, scope: &Scope, depth: usize) -> Expr {
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        let ty = a.ty.promoted();
        let distance = format!("((unsigned){} & {})", b.text, ty.bits - 1);
        if self.rng.bool() {
            return Expr { text: format!("({} >> {distance})", a.text), ty };
        }
        let unsigned = if ty.bits == 64 { INTS[10] } else { Int::UNSIGNED };
        Expr { text: format!("(({}){} << {distance})", unsigned.name, a.text), ty: unsigned }
    }

    fn comparison(&mut self, scope: &Scope, depth: usize) -> Expr {
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
        Expr { text: format!("({} {op} {})", a.text, b.text), ty: Int::INT }
    }

    fn unary(&mut self, scope: &Scope, depth: usize) -> Expr {
        let a = self.expr(scope, depth);
        match self.rng.u32(0..3) {
            0 => Expr { text: format!("(!{})", a.text), ty: Int::INT },
            // A space, since the operand may be a negative number.
            1 => Expr { text: format!("(- {})", a.text), ty: a.ty.promoted() },
            _ => Expr { text: format!("(~{})", a.text), ty: a.ty.promoted() },
        }
    }

    /// A constant of a type: often small, or at the edge of some type.
    pub(super) fn literal(&mut self, ty: Int) -> String {
        let edges =
            [0u64, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, u64::MAX];
        let value = match self.rng.u32(0..4) {
            0 => *self.pick(&edges),
            1 => self.rng.u64(..),
            _ => self.rng.u64(0..20),
        };
        format!("(({}){value}ULL)", ty.name)
    }
}
