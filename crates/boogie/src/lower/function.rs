//! Functions and axioms. A polymorphic function becomes one function per instance that is used.

use ir::{BoundVar, ExprId, ExprNode, FuncId, QuantKind};
use rustc_hash::FxHashSet;
use source::Span;

use crate::ast::{Expr, Ident, Name, attribute};
use crate::lower::types::mangle;
use crate::lower::{Env, Lowered, Lowering, builtin};
use crate::types::Ty;

impl<'a> Lowering<'a> {
    pub(super) fn apply(&mut self, expr: &'a Expr, function: &'a Ident, args: &'a [Expr]) -> Lowered<ExprId> {
        let Some(symbol) = self.checked.symbols.functions.get(&function.name).cloned() else {
            return Err(self.unsupported(expr.span, &format!("`{}` here", function.name)));
        };
        let decl = &self.ast.functions[symbol.index];
        if attribute(&decl.attributes, "constructor").is_some() {
            return Err(self.unsupported(expr.span, "datatypes"));
        }
        let instance: Vec<Ty> =
            self.checked.instance(expr.id).to_vec().into_iter().map(|t| self.instantiated(t)).collect();
        if let Some(operator) = builtin::operator(&decl.attributes) {
            let result = self.checked.types.substitute(symbol.result, &symbol.type_params, &instance);
            let result = self.ty(result, expr.span)?;
            // A pointwise operator binds an index around its arguments.
            let binds =
                if builtin::is_pointwise(operator) { result.as_map().map_or(0, |m| m.args.len()) } else { 0 };
            let level = self.env.level;
            self.env.level = level.saturating_add(u32::try_from(binds).unwrap_or(u32::MAX));
            let args = self.exprs(args);
            self.env.level = level;
            return self.builtin(operator, &args?, &result, expr.span);
        }
        let args = self.exprs(args)?;
        let (id, ty) = self.function(&function.name, instance, expr.span)?;
        Ok(self.program.exprs.add(ExprNode::Apply(id, args, ty)))
    }

    /// The IR function for an instance, declared on first use.
    fn function(&mut self, name: &Name, instance: Vec<Ty>, span: Span) -> Lowered<(FuncId, ir::Type)> {
        let key = (name.clone(), instance);
        if let Some((id, ty)) = self.functions.get(&key) {
            return Ok((*id, ty.clone()));
        }
        let (name, instance) = key;
        let Some(symbol) = self.checked.symbols.functions.get(&name).cloned() else {
            return Err(self.unsupported(span, &format!("function `{name}`")));
        };
        let decl = &self.ast.functions[symbol.index];
        let mut params = Vec::new();
        for (at, (param, &ty)) in decl.params.iter().zip(&symbol.params).enumerate() {
            let ty = self.checked.types.substitute(ty, &symbol.type_params, &instance);
            let param_name = param.ident.as_ref().map_or_else(|| format!("arg{at}"), |i| i.name.to_string());
            let taken = params.iter().any(|(name, _)| *name == param_name);
            params.push((if taken { format!("{param_name}.{at}") } else { param_name }, self.ty(ty, span)?));
        }
        let result = self.checked.types.substitute(symbol.result, &symbol.type_params, &instance);
        let result = self.ty(result, span)?;
        let mut mangled = name.to_string();
        for &ty in &instance {
            mangled.push('.');
            mangled.push_str(&mangle(&self.checked.types.show(ty)));
        }
        while self.function_names.contains(&mangled) {
            mangled.push('\'');
        }
        self.function_names.insert(mangled.clone());
        let id = self.program.funcs.push(ir::Func {
            name: mangled,
            params,
            result: result.clone(),
            body: None,
            span: decl.ident.span,
        });
        self.functions.insert((name.clone(), instance.clone()), (id, result.clone()));
        self.function_queue.push((name, instance, id));
        Ok((id, result))
    }

    /// Lowers the bodies of all functions in use; they may use further ones.
    pub(super) fn lower_functions(&mut self) {
        let mut next = 0;
        while let Some((name, instance, id)) = self.function_queue.get(next).cloned() {
            next += 1;
            let Some(symbol) = self.checked.symbols.functions.get(&name).cloned() else { continue };
            let decl = &self.ast.functions[symbol.index];
            let Some(body) = &decl.body else { continue };
            self.env = Env { type_params: symbol.type_params, type_args: instance, ..Env::default() };
            let types: Vec<ir::Type> =
                self.program.funcs[id].params.iter().map(|(_, ty)| ty.clone()).collect();
            for (param, ty) in decl.params.iter().zip(types) {
                let name = param.ident.as_ref().map_or_else(|| Name::from(""), |i| i.name.clone());
                self.push_bound(&name, ty);
            }
            if let Ok(value) = self.expr(body) {
                self.program.funcs[id].body = Some(value);
            }
        }
        self.env = Env::default();
    }

    /// Lowers the axioms that speak of what is kept. One that cannot be expressed is a reason to refuse the program:
    /// without it there would be runs that cannot happen.
    pub(super) fn lower_axioms(&mut self) {
        let ast = self.ast;
        for (at, axiom) in ast.axioms.iter().enumerate() {
            if attribute(&axiom.attributes, "dispatch").is_some() || !self.reached.axioms.contains(&at) {
                continue;
            }
            let lowered = self.expr(&axiom.formula);
            self.env = Env::default();
            if let Ok(formula) = lowered {
                self.program.axioms.push(ir::Axiom { formula, span: axiom.span });
            }
        }
        // Axioms may use instances of polymorphic functions that nothing else does.
        self.lower_functions();
    }

    /// IR functions with bodies must not be recursive: those that are get an axiom instead, which is what their
    /// body means.
    pub(super) fn untangle_recursion(&mut self) {
        let ids: Vec<FuncId> = self.program.funcs.keys().collect();
        for id in ids {
            let Some(body) = self.program.funcs[id].body else { continue };
            if !self.reaches(body, id) {
                continue;
            }
            let func = &mut self.program.funcs[id];
            func.body = None;
            let (params, result, span) = (func.params.clone(), func.result.clone(), func.span);
            let exprs = &mut self.program.exprs;
            let args = (0..)
                .zip(&params)
                .map(|(level, (_, ty))| exprs.add(ExprNode::Bound(level, ty.clone())))
                .collect();
            let applied = exprs.add(ExprNode::Apply(id, args, result));
            let mut formula = exprs.eq(applied, body);
            if !params.is_empty() {
                let vars = params.into_iter().map(|(name, ty)| BoundVar { name, ty }).collect();
                let triggers = vec![vec![applied]];
                formula = exprs.add(ExprNode::Quant {
                    kind: QuantKind::Forall,
                    vars,
                    first: 0,
                    body: formula,
                    triggers,
                });
            }
            self.program.axioms.push(ir::Axiom { formula, span });
        }
    }

    /// Whether an expression applies a function, directly or through the bodies of others.
    pub(super) fn reaches(&self, from: ExprId, wanted: FuncId) -> bool {
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        let mut work = vec![from];
        while let Some(body) = work.pop() {
            self.program.exprs.for_each_in(body, |_, node| {
                if let ExprNode::Apply(id, ..) = node
                    && seen.insert(*id)
                {
                    work.extend(self.program.funcs[*id].body);
                }
            });
        }
        seen.contains(&wanted)
    }
}
