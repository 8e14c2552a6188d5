//! Types of expressions.

use source::{Diagnostic, Span};

use crate::ast::{Binder, Expr, ExprKind, Ident, Name, UnaryOp, Variable};
use crate::check::scope::LocalKind;
use crate::check::{Checker, Context};
use crate::types::{Ty, TyKind};

impl<'a> Checker<'a> {
    /// Checks an expression against a type.
    pub(super) fn expect(&mut self, expr: &'a Expr, wanted: Ty) {
        let found = self.expr(expr);
        if !self.unify(wanted, found) {
            self.mismatch(expr.span, wanted, found);
        }
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Ty {
        let ty = match &expr.kind {
            ExprKind::Bool(_) => Ty::BOOL,
            ExprKind::Int(_) => Ty::INT,
            ExprKind::Real => Ty::REAL,
            ExprKind::Bv { width, .. } => self.types.intern(TyKind::Bv(*width)),
            ExprKind::Float(significand, exponent) => {
                self.types.intern(TyKind::Float(*significand, *exponent))
            }
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Apply { function, args } => self.apply(expr, function, args),
            ExprKind::Convert { to_real, operand } => {
                let (from, to) = if *to_real { (Ty::INT, Ty::REAL) } else { (Ty::REAL, Ty::INT) };
                self.expect(operand, from);
                to
            }
            ExprKind::Old(operand) => {
                if !self.context.old {
                    self.error(expr.span, "`old` has no meaning here");
                }
                self.expr(operand)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.expect(operand, Ty::BOOL);
                Ty::BOOL
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let ty = self.expr(operand);
                self.expect_number(operand.span, ty)
            }
            ExprKind::Chain { first, rest } => {
                let mut left = self.expr(first);
                for link in rest {
                    let right = self.expr(&link.operand);
                    left = self.binary(link.op, link.op_span, (left, expr.span), (right, link.operand.span));
                    self.record(link.id, left);
                }
                left
            }
            ExprKind::Implies(operands) => {
                for operand in operands {
                    self.expect(operand, Ty::BOOL);
                }
                Ty::BOOL
            }
            ExprKind::If { arms, otherwise } => {
                let ty = self.fresh();
                for arm in arms {
                    self.expect(&arm.condition, Ty::BOOL);
                    self.expect(&arm.value, ty);
                }
                self.expect(otherwise, ty);
                self.shallow(ty)
            }
            ExprKind::Select { map, indices } => {
                let map_ty = self.expr(map);
                self.cell(map_ty, map.span, indices, expr.span)
            }
            ExprKind::Store { map, indices, value } => {
                let map_ty = self.expr(map);
                let cell = self.cell(map_ty, map.span, indices, expr.span);
                self.expect(value, cell);
                map_ty
            }
            ExprKind::Extract { operand, hi, lo } => self.extract(operand, *hi, *lo, expr.span),
            ExprKind::Bind { binder, params, vars, triggers, body } => {
                self.bind_expr(expr, *binder, params, vars, triggers, body)
            }
            ExprKind::Let { bindings, body } => {
                let types: Vec<Ty> = bindings.iter().map(|(_, value)| self.expr(value)).collect();
                let mark = self.scope.mark();
                for ((ident, _), ty) in bindings.iter().zip(types) {
                    self.scope.add(&ident.name, ty, LocalKind::Bound);
                }
                let ty = self.expr(body);
                self.scope.reset(mark);
                ty
            }
            ExprKind::Coerce(operand, ty) => {
                let ty = self.resolve_type(ty);
                self.expect(operand, ty);
                ty
            }
            ExprKind::Code(body) => {
                self.within(Context { globals: true, old: true }, |c| c.code_body(body));
                Ty::BOOL
            }
        };
        self.record(expr.id, ty)
    }

    fn name(&mut self, name: &Name, span: Span) -> Ty {
        let ty = if let Some(local) = self.scope.get(name) {
            local.ty
        } else if let Some(symbol) = self.symbols.consts.get(name) {
            symbol.ty
        } else if let Some(symbol) = self.symbols.globals.get(name) {
            let ty = symbol.ty;
            if !self.context.globals {
                let problem =
                    Diagnostic::error(span, format!("global variable `{name}` cannot be used here"))
                        .label("its value changes")
                        .help("axioms and functions speak of constants only; pass the value as a parameter");
                self.problems.push(problem);
            }
            ty
        } else {
            self.unknown_variable(name, span);
            return Ty::ERROR;
        };
        if self.types.holds_mutex(ty) {
            let problem = Diagnostic::error(span, format!("mutex `{name}` is used as a value"))
                .help("a mutex is used by `acquire`, `release` and `tryacquire` only");
            self.problems.push(problem);
            return Ty::ERROR;
        }
        ty
    }

    pub(super) fn unknown_variable(&mut self, name: &Name, span: Span) {
        let known: Vec<Name> = self
            .scope
            .names()
            .map(Name::from)
            .chain(self.symbols.globals.keys().cloned())
            .chain(self.symbols.consts.keys().cloned())
            .collect();
        self.unknown_name("variable", name, span, known.iter().map(|n| &**n));
    }

    fn apply(&mut self, expr: &'a Expr, function: &'a Ident, args: &'a [Expr]) -> Ty {
        let Some(symbol) = self.symbols.functions.get(&function.name).cloned() else {
            if self.is_pending(function, args) {
                return Ty::INT;
            }
            for arg in args {
                self.expr(arg);
            }
            let known: Vec<Name> = self.symbols.functions.keys().cloned().collect();
            if self.symbols.procedures.contains_key(&function.name)
                && self.unknown.insert(function.name.clone())
            {
                let message = format!("procedure `{}` is used as a function", function.name);
                let help = format!("write `call x := {}(...);` and use `x`", function.name);
                self.problems.push(Diagnostic::error(function.span, message).help(help));
            }
            self.unknown_name("function", &function.name, function.span, known.iter().map(|n| &**n));
            return Ty::ERROR;
        };
        let decl = self.program.functions[symbol.index].ident.span;
        if symbol.params.len() != args.len() {
            self.wrong_count("function", function, symbol.params.len(), args.len(), decl);
            return Ty::ERROR;
        }
        let instance = self.fresh_many(symbol.type_params.len());
        for (arg, &param) in args.iter().zip(&symbol.params) {
            let wanted = self.types.substitute(param, &symbol.type_params, &instance);
            self.expect(arg, wanted);
        }
        let result = self.types.substitute(symbol.result, &symbol.type_params, &instance);
        self.record_instance(expr.id, instance);
        result
    }

    /// `pending(P)` of c2s: how many tasks of a procedure are waiting to run.
    fn is_pending(&self, function: &Ident, args: &[Expr]) -> bool {
        &*function.name == "pending"
            && matches!(args, [Expr { kind: ExprKind::Name(name), .. }]
                if self.symbols.procedures.contains_key(name))
    }

    pub(super) fn wrong_count(&mut self, what: &str, ident: &Ident, wanted: usize, found: usize, decl: Span) {
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("{what} `{}` takes {wanted} argument{plural}, found {found}", ident.name);
        self.problems.push(Diagnostic::error(ident.span, message).with(decl, "declared here"));
    }

    /// The type of a map's cell at some indices.
    pub(super) fn cell(&mut self, map: Ty, map_span: Span, indices: &'a [Expr], span: Span) -> Ty {
        let map = self.shallow(map);
        let TyKind::Map { params, domain, range } = self.types.kind(map).clone() else {
            for index in indices {
                self.expr(index);
            }
            if map != Ty::ERROR {
                let shown = self.types.show(map);
                let problem =
                    Diagnostic::error(map_span, "this is not a map").label(format!("has type `{shown}`"));
                self.problems.push(problem);
            }
            return Ty::ERROR;
        };
        if domain.len() != indices.len() {
            let message = format!("the map takes {} indices, found {}", domain.len(), indices.len());
            self.error(span, message);
            return Ty::ERROR;
        }
        let instance = self.fresh_many(params as usize);
        for (index, wanted) in indices.iter().zip(domain) {
            let wanted = self.types.open_map(wanted, &instance);
            self.expect(index, wanted);
        }
        self.types.open_map(range, &instance)
    }

    fn extract(&mut self, operand: &'a Expr, hi: u32, lo: u32, span: Span) -> Ty {
        let ty = self.expr(operand);
        let ty = self.shallow(ty);
        match *self.types.kind(ty) {
            TyKind::Bv(width) if lo <= hi && hi <= width => self.types.intern(TyKind::Bv(hi - lo)),
            TyKind::Bv(width) => {
                self.error(span, format!("bits {hi}:{lo} are not in a vector of {width} bits"));
                Ty::ERROR
            }
            TyKind::Error => Ty::ERROR,
            _ => {
                let shown = self.types.show(ty);
                let problem = Diagnostic::error(operand.span, "bits are taken from what is no bit vector")
                    .label(format!("has type `{shown}`"));
                self.problems.push(problem);
                Ty::ERROR
            }
        }
    }

    fn bind_expr(
        &mut self,
        expr: &'a Expr,
        binder: Binder,
        params: &'a [Ident],
        vars: &'a [Variable],
        triggers: &'a [Vec<Expr>],
        body: &'a Expr,
    ) -> Ty {
        let mark = self.scope.mark();
        self.enter_type_params(params);
        let domain: Vec<Ty> = vars.iter().map(|v| self.resolve_type(&v.ty)).collect();
        for (var, &ty) in vars.iter().zip(&domain) {
            self.scope.add(&var.ident.name, ty, LocalKind::Bound);
            self.variables.insert(var.ident.span, ty);
        }
        for trigger in triggers.iter().flatten() {
            self.expr(trigger);
        }
        let ty = match binder {
            Binder::Forall | Binder::Exists => {
                self.expect(body, Ty::BOOL);
                Ty::BOOL
            }
            Binder::Lambda => {
                let range = self.expr(body);
                if params.is_empty() {
                    self.types.intern(TyKind::Map { params: 0, domain, range })
                } else {
                    self.error(expr.span, "not supported yet: lambdas with type variables");
                    Ty::ERROR
                }
            }
        };
        self.scope.reset(mark);
        ty
    }
}
