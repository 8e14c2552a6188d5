//! Types of operators.

use source::{Diagnostic, Span};

use crate::ast::BinaryOp;
use crate::check::Checker;
use crate::types::{Ty, TyKind};

impl Checker<'_> {
    /// The type of `left op right`; the spans are those of the operands.
    pub(super) fn binary(&mut self, op: BinaryOp, op_span: Span, left: (Ty, Span), right: (Ty, Span)) -> Ty {
        match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
                self.operand(left, Ty::BOOL);
                self.operand(right, Ty::BOOL);
                Ty::BOOL
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Below => {
                self.same(op_span, left.0, right.0);
                Ty::BOOL
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                if self.same(op_span, left.0, right.0) {
                    self.expect_number(right.1, left.0);
                }
                Ty::BOOL
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                if !self.same(op_span, left.0, right.0) {
                    return Ty::ERROR;
                }
                self.expect_number(right.1, left.0)
            }
            BinaryOp::Div | BinaryOp::Mod => {
                self.operand(left, Ty::INT);
                self.operand(right, Ty::INT);
                Ty::INT
            }
            BinaryOp::Slash => self.slash(op_span, left, right),
            BinaryOp::Pow => {
                self.operand(left, Ty::REAL);
                self.operand(right, Ty::REAL);
                Ty::REAL
            }
            BinaryOp::Concat => self.concat(op_span, left.0, right.0),
        }
    }

    fn operand(&mut self, (found, span): (Ty, Span), wanted: Ty) {
        if !self.unify(wanted, found) {
            self.mismatch(span, wanted, found);
        }
    }

    fn same(&mut self, span: Span, left: Ty, right: Ty) -> bool {
        let equal = self.unify(left, right);
        if !equal {
            let (left, right) = (self.resolved(left), self.resolved(right));
            let (left, right) = (self.types.show(left), self.types.show(right));
            let problem =
                Diagnostic::error(span, format!("the operands have different types: `{left}` and `{right}`"));
            self.problems.push(problem);
        }
        equal
    }

    /// The type itself if arithmetic works on it.
    pub(super) fn expect_number(&mut self, span: Span, ty: Ty) -> Ty {
        let ty = self.shallow(ty);
        match self.types.kind(ty) {
            TyKind::Int | TyKind::Real | TyKind::Float(..) | TyKind::Error => ty,
            // Nothing else decides it, so it is a number.
            TyKind::Infer(_) => {
                self.unify(ty, Ty::INT);
                Ty::INT
            }
            kind => {
                let is_bv = matches!(kind, TyKind::Bv(_));
                let shown = self.types.show(ty);
                let mut problem = Diagnostic::error(span, format!("expected a number, found `{shown}`"))
                    .label("not a number");
                if is_bv {
                    problem = problem.help(
                        "declare an operation on bit vectors: \
                         `function {:bvbuiltin \"bvadd\"} add(bv32, bv32) returns (bv32);`",
                    );
                }
                self.problems.push(problem);
                Ty::ERROR
            }
        }
    }

    /// `/` on integers is `div`: that is what it meant when the tools were written that still use it.
    fn slash(&mut self, op_span: Span, left: (Ty, Span), right: (Ty, Span)) -> Ty {
        let (a, b) = (self.shallow(left.0), self.shallow(right.0));
        match (a, b) {
            (Ty::INT, Ty::REAL) | (Ty::REAL, Ty::INT) => Ty::REAL,
            _ if self.same(op_span, a, b) => self.expect_number(right.1, a),
            _ => Ty::ERROR,
        }
    }

    fn concat(&mut self, op_span: Span, left: Ty, right: Ty) -> Ty {
        let (left, right) = (self.shallow(left), self.shallow(right));
        match (self.types.kind(left), self.types.kind(right)) {
            (TyKind::Bv(high), TyKind::Bv(low)) => {
                let width = high.saturating_add(*low);
                if width > 1 << 16 {
                    self.error(op_span, format!("bit vector of {width} bits is too wide"));
                    return Ty::ERROR;
                }
                self.types.intern(TyKind::Bv(width))
            }
            (TyKind::Error, _) | (_, TyKind::Error) => Ty::ERROR,
            _ => {
                let (left, right) = (self.types.show(left), self.types.show(right));
                let message = format!("`++` joins bit vectors, found `{left}` and `{right}`");
                self.error(op_span, message);
                Ty::ERROR
            }
        }
    }
}
