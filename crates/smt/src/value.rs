//! Values of terms in a model, and how they are read from what solvers print.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::arithmetic::wrap;
use crate::sexpr::{self, Arena, Node, NodeId};
use crate::{Error, Sort, SortId, TermPool};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A bit vector: width and unsigned value below 2^width.
    Bv(u32, BigInt),
    /// An array.
    Array(Box<ArrayValue>),
    /// An element of an uninterpreted sort: two with different names are different.
    Element(String),
}

/// The value of an array: one value everywhere but in some cells. Cells that hold the default are not listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    /// The value of all other cells.
    pub default: Value,
    /// The values of some cells.
    pub entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The value of a cell.
    #[must_use]
    pub fn at(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }
}

/// Reads a value of a sort as SMT-LIB solvers print it.
pub(crate) fn parse(pool: &TermPool, sort: SortId, text: &str) -> Result<Value, Error> {
    let (arena, top) = sexpr::read(text).map_err(Error::NoValue)?;
    let reader = Reader { pool, arena: &arena };
    match top.as_slice() {
        [node] => reader.value(sort, *node),
        _ => None,
    }
    .ok_or_else(|| Error::NoValue(text.chars().take(200).collect()))
}

/// Reads the value in the answer to `get-value` for one term: `((term value))`.
pub(crate) fn parse_answer(pool: &TermPool, sort: SortId, text: &str) -> Result<Value, Error> {
    let (arena, top) = sexpr::read(text).map_err(Error::NoValue)?;
    let reader = Reader { pool, arena: &arena };
    let read = || {
        let [answer] = top.as_slice() else { return None };
        let [pair] = arena.list(*answer)? else { return None };
        let [_, value] = arena.list(*pair)? else { return None };
        reader.value(sort, *value)
    };
    read().ok_or_else(|| Error::NoValue(text.chars().take(200).collect()))
}

struct Reader<'a> {
    pool: &'a TermPool,
    arena: &'a Arena,
}

impl<'a> Reader<'a> {
    fn value(&self, sort: SortId, node: NodeId) -> Option<Value> {
        self.value_in(sort, node, &mut FxHashMap::default())
    }

    /// Recurses with the sort (elements of arrays), never with the size of the value.
    fn value_in(&self, sort: SortId, node: NodeId, names: &mut FxHashMap<&'a str, NodeId>) -> Option<Value> {
        let node = self.resolve(node, names)?;
        match self.pool.sort(sort) {
            Sort::Bool => match self.arena.atom(node)? {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            Sort::Int => self.int(node).map(Value::Int),
            Sort::Bv(width) => self.bv(*width, node),
            Sort::Array(index, element) => self.array(*index, *element, node, names),
            Sort::Uninterpreted(_) => match self.arena.node(node) {
                Node::Atom(name) => Some(Value::Element(name.clone())),
                Node::List(items) => match items.as_slice() {
                    [qualifier, name, _] if self.arena.atom(*qualifier) == Some("as") => {
                        Some(Value::Element(self.arena.atom(*name)?.to_owned()))
                    }
                    _ => None,
                },
                Node::Text(_) => None,
            },
        }
    }

    /// The expression behind `let`s and the names they bind.
    fn resolve(&self, node: NodeId, names: &mut FxHashMap<&'a str, NodeId>) -> Option<NodeId> {
        let mut node = node;
        // Each name can lead to another, but no chain is longer than there are names, unless it is a circle.
        let mut hops = 0;
        loop {
            match self.arena.node(node) {
                Node::Atom(name) => match names.get(name.as_str()) {
                    Some(bound) if hops <= names.len() => {
                        node = *bound;
                        hops += 1;
                    }
                    Some(_) => return None,
                    None => return Some(node),
                },
                Node::List(items) => match items.as_slice() {
                    [head, bindings, body] if self.arena.atom(*head) == Some("let") => {
                        for binding in self.arena.list(*bindings)? {
                            let [name, bound] = self.arena.list(*binding)? else { return None };
                            names.insert(self.arena.atom(*name)?, *bound);
                        }
                        node = *body;
                    }
                    _ => return Some(node),
                },
                Node::Text(_) => return Some(node),
            }
        }
    }

    fn int(&self, node: NodeId) -> Option<BigInt> {
        match self.arena.node(node) {
            Node::Atom(digits) => digits.parse().ok(),
            Node::List(items) => match items.as_slice() {
                [minus, digits] if self.arena.atom(*minus) == Some("-") => {
                    Some(-self.arena.atom(*digits)?.parse::<BigInt>().ok()?)
                }
                _ => None,
            },
            Node::Text(_) => None,
        }
    }

    fn bv(&self, width: u32, node: NodeId) -> Option<Value> {
        let value = match self.arena.node(node) {
            Node::Atom(atom) => {
                let (digits, radix) = match (atom.strip_prefix("#x"), atom.strip_prefix("#b")) {
                    (Some(digits), _) => (digits, 16),
                    (_, Some(digits)) => (digits, 2),
                    _ => return None,
                };
                BigInt::parse_bytes(digits.as_bytes(), radix)?
            }
            Node::List(items) => match items.as_slice() {
                [underscore, value, _] if self.arena.atom(*underscore) == Some("_") => {
                    self.arena.atom(*value)?.strip_prefix("bv")?.parse().ok()?
                }
                _ => return None,
            },
            Node::Text(_) => return None,
        };
        (wrap(width, &value) == value).then_some(Value::Bv(width, value))
    }

    fn array(
        &self,
        index: SortId,
        element: SortId,
        node: NodeId,
        names: &mut FxHashMap<&'a str, NodeId>,
    ) -> Option<Value> {
        let mut entries = BTreeMap::new();
        let mut node = node;
        let default = loop {
            node = self.resolve(node, names)?;
            match self.arena.list(node)? {
                [store, inner, at, value] if self.arena.atom(*store) == Some("store") => {
                    let at = self.value_in(index, *at, names)?;
                    let value = self.value_in(element, *value, names)?;
                    // The outermost write to a cell is the one that counts.
                    entries.entry(at).or_insert(value);
                    node = *inner;
                }
                [constant, value] => {
                    let [qualifier, name, _] = self.arena.list(*constant)? else { return None };
                    if self.arena.atom(*qualifier) != Some("as") || self.arena.atom(*name) != Some("const") {
                        return None;
                    }
                    break self.value_in(element, *value, names)?;
                }
                _ => return None,
            }
        };
        entries.retain(|_, value| *value != default);
        Some(Value::Array(Box::new(ArrayValue { default, entries })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    #[test]
    fn reads_values_of_every_sort() {
        let mut pool = TermPool::default();
        let bv = pool.bv_sort(8);
        let array = pool.array_sort(&[SortId::INT], SortId::INT);
        let sort = pool.uninterpreted_sort("U");
        assert_eq!(parse(&pool, SortId::BOOL, "true"), Ok(Value::Bool(true)));
        assert_eq!(parse(&pool, SortId::INT, "(- 12345678901234567890)").unwrap(), {
            Value::Int("-12345678901234567890".parse().unwrap())
        });
        for text in ["#x0f", "#b00001111", "(_ bv15 8)"] {
            assert_eq!(parse(&pool, bv, text), Ok(Value::Bv(8, 15.into())));
        }
        assert_eq!(parse(&pool, sort, "(as @U_1 U)"), Ok(Value::Element("@U_1".into())));
        let text = "(let ((a (store ((as const (Array Int Int)) 7) 1 2))) (store (store a 1 3) 4 7))";
        let expected = ArrayValue { default: int(7), entries: [(int(1), int(3))].into() };
        assert_eq!(parse(&pool, array, text), Ok(Value::Array(Box::new(expected))));
    }

    #[test]
    fn refuses_what_is_no_value() {
        let mut pool = TermPool::default();
        let array = pool.array_sort(&[SortId::INT], SortId::INT);
        for text in ["(_ as-array f)", "(lambda ((x Int)) x)", "", "(", "(let ((a b) (b a)) a)", "1 2"] {
            assert!(parse(&pool, array, text).is_err(), "{text}");
        }
    }
}
