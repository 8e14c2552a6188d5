//! Types of the source, and the names of variables, from the debug information.
//!
//! The C interface knows some fields of a node by name; the rest are found by the order of operands, as LLVM 19 has it:
//! file, scope, name, base type, elements for types; scope, name, file, type for variables.

use rustc_hash::FxHashMap;

use crate::module::{DebugType, DebugTypeId, Member, Module, Shown};
use crate::raw::{Expressions, Metadata, MetadataKind, MetadataOperand};

/// Tags of DWARF.
mod tag {
    pub(super) const ARRAY: u16 = 0x01;
    pub(super) const CLASS: u16 = 0x02;
    pub(super) const ENUMERATION: u16 = 0x04;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER: u16 = 0x0f;
    pub(super) const REFERENCE: u16 = 0x10;
    pub(super) const STRUCTURE: u16 = 0x13;
    pub(super) const TYPEDEF: u16 = 0x16;
    pub(super) const UNION: u16 = 0x17;
    pub(super) const INHERITANCE: u16 = 0x1c;
    pub(super) const CONST: u16 = 0x26;
    pub(super) const VOLATILE: u16 = 0x35;
    pub(super) const RESTRICT: u16 = 0x37;
    pub(super) const RVALUE_REFERENCE: u16 = 0x42;
    pub(super) const ATOMIC: u16 = 0x47;
}

/// Places of operands.
mod operand {
    pub(super) const BASE_TYPE: usize = 3;
    pub(super) const ELEMENTS: usize = 4;
    pub(super) const VARIABLE_NAME: usize = 1;
    pub(super) const VARIABLE_TYPE: usize = 3;
    pub(super) const SUBPROGRAM_NAME: usize = 2;
}

/// Nobody writes more typedefs of typedefs, and more structs in structs.
const DEEPEST: usize = 100;

/// The debug types that were met so far.
pub(super) struct DebugTypes<'m> {
    known: FxHashMap<Metadata<'m>, DebugTypeId>,
    expressions: Expressions<'m>,
}

impl<'m> DebugTypes<'m> {
    pub(super) fn new(expressions: Expressions<'m>) -> Self {
        DebugTypes { known: FxHashMap::default(), expressions }
    }

    /// The id of a type. Types may contain pointers to themselves: each has its id before it is looked into.
    pub(super) fn id(&mut self, module: &mut Module, node: Metadata<'m>) -> Option<DebugTypeId> {
        let mut open = Vec::new();
        let id = self.reserve(module, node, &mut open);
        while let Some((node, id)) = open.pop() {
            module.debug_types[id] = self.make(module, node, &mut open);
        }
        id
    }

    fn reserve(
        &mut self,
        module: &mut Module,
        node: Metadata<'m>,
        open: &mut Vec<(Metadata<'m>, DebugTypeId)>,
    ) -> Option<DebugTypeId> {
        let node = plain(node)?;
        Some(*self.known.entry(node).or_insert_with(|| {
            let id = module.debug_types.push(DebugType::Other);
            open.push((node, id));
            id
        }))
    }

    fn make(
        &mut self,
        module: &mut Module,
        node: Metadata<'m>,
        open: &mut Vec<(Metadata<'m>, DebugTypeId)>,
    ) -> DebugType {
        let mut base = |this: &mut Self| {
            node.operand(operand::BASE_TYPE).and_then(|base| this.reserve(module, base, open))
        };
        match node.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => {
                DebugType::Basic { name: node.type_name(), shown: shown(&node.print()) }
            }
            MetadataKind::LLVMDIDerivedTypeMetadataKind => match node.tag() {
                tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => DebugType::Pointer(base(self)),
                _ => DebugType::Other,
            },
            MetadataKind::LLVMDICompositeTypeMetadataKind => match node.tag() {
                tag::STRUCTURE | tag::CLASS | tag::UNION => DebugType::Struct {
                    name: node.type_name(),
                    union: node.tag() == tag::UNION,
                    members: members(node).filter_map(|member| self.member(module, member, open)).collect(),
                },
                tag::ARRAY => match base(self) {
                    Some(element) => DebugType::Array(element, elements(node).map(count).collect()),
                    None => DebugType::Other,
                },
                tag::ENUMERATION => {
                    DebugType::Enum(node.type_name(), elements(node).filter_map(enumerator).collect())
                }
                _ => DebugType::Other,
            },
            _ => DebugType::Other,
        }
    }

    fn member(
        &mut self,
        module: &mut Module,
        member: Metadata<'m>,
        open: &mut Vec<(Metadata<'m>, DebugTypeId)>,
    ) -> Option<Member> {
        let base = member.operand(operand::BASE_TYPE)?;
        let ty = self.reserve(module, base, open)?;
        // A base class has its size in its own type.
        let size = if member.size_in_bits() == 0 { base.size_in_bits() } else { member.size_in_bits() };
        Some(Member { name: member.type_name(), offset: member.offset_in_bits(), size, ty })
    }

    /// Which part of a variable an expression means: its name, as in `p.x`, and type. None if that cannot be told.
    pub(super) fn part(&self, variable: Metadata<'m>, expression: Metadata<'m>) -> Option<Part<'m>> {
        let whole = Part { name: variable_name(variable), ty: variable_type(variable) };
        if self.expressions.empty() == Some(expression) {
            return Some(whole);
        }
        let mut found = None;
        let mut open = vec![(whole, 0, 0)];
        while let Some((part, start, depth)) = open.pop() {
            let Some(ty) = part.ty.and_then(plain).filter(|_| depth < DEEPEST) else { continue };
            for member in members(ty) {
                let Some(base) = member.operand(operand::BASE_TYPE) else { continue };
                let start = start + member.offset_in_bits();
                let member_name = member.type_name();
                let name = if member_name.is_empty() {
                    part.name.clone()
                } else {
                    format!("{}.{member_name}", part.name)
                };
                let inner = Part { name, ty: Some(base) };
                // A struct with one member is the same part as that: the name of the member says more.
                if self.expressions.part(start, member.size_in_bits()) == Some(expression) {
                    open.clear();
                    open.push((inner.clone(), start, depth + 1));
                    found = Some(inner);
                    break;
                }
                open.push((inner, start, depth + 1));
            }
        }
        found
    }
}

/// A variable of the source or a part of it.
#[derive(Clone)]
pub(super) struct Part<'m> {
    pub(super) name: String,
    pub(super) ty: Option<Metadata<'m>>,
}

pub(super) fn variable_name(variable: Metadata<'_>) -> String {
    variable.operand(operand::VARIABLE_NAME).and_then(Metadata::string).unwrap_or_default()
}

pub(super) fn variable_type(variable: Metadata<'_>) -> Option<Metadata<'_>> {
    variable.operand(operand::VARIABLE_TYPE)
}

pub(super) fn subprogram_name(subprogram: Metadata<'_>) -> Option<String> {
    subprogram.operand(operand::SUBPROGRAM_NAME).and_then(Metadata::string)
}

/// The type behind typedefs and qualifiers; none if that is `void`.
fn plain(mut node: Metadata<'_>) -> Option<Metadata<'_>> {
    for _ in 0..DEEPEST {
        match node.tag() {
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                node = node.operand(operand::BASE_TYPE)?;
            }
            _ => return Some(node),
        }
    }
    None
}

fn elements(node: Metadata<'_>) -> impl Iterator<Item = Metadata<'_>> {
    let list = if matches!(node.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind) {
        node.operand(operand::ELEMENTS).map(Metadata::operands).unwrap_or_default()
    } else {
        Vec::new()
    };
    list.into_iter().filter_map(|element| match element {
        Some(MetadataOperand::Node(node)) => Some(node),
        _ => None,
    })
}

/// Members and base classes of a struct, without functions and static members.
fn members(node: Metadata<'_>) -> impl Iterator<Item = Metadata<'_>> {
    elements(node).filter(|element| {
        matches!(element.tag(), tag::MEMBER | tag::INHERITANCE) && !element.is_static_member()
    })
}

/// How many elements a dimension of an array has; zero if not known.
fn count(dimension: Metadata<'_>) -> u64 {
    match dimension.operands().first() {
        Some(Some(MetadataOperand::Value(count))) => {
            count.small_int().filter(|&count| i64::try_from(count).is_ok()).unwrap_or(0)
        }
        _ => 0,
    }
}

fn enumerator(node: Metadata<'_>) -> Option<(i64, String)> {
    let name = node.operand(0)?.string()?;
    // The value is no operand: `!DIEnumerator(name: "A", value: 1)`.
    let text = node.print();
    let value = text.rsplit_once("value: ")?.1;
    let end = value.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(value.len());
    let value: i128 = value[..end].parse().ok()?;
    // One beyond the signed numbers is told by its bits.
    let value = i64::try_from(value).or_else(|_| u64::try_from(value).map(u64::cast_signed)).ok()?;
    Some((value, name))
}

/// How values of a basic type are shown. The encoding is no operand: `!DIBasicType(name: "int", encoding: DW_ATE_signed)`.
fn shown(text: &str) -> Shown {
    let encoding = text.rsplit_once("DW_ATE_").map_or("", |(_, rest)| rest);
    let end = encoding.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(encoding.len());
    match &encoding[..end] {
        "boolean" => Shown::Bool,
        "float" | "complex_float" | "decimal_float" => Shown::Float,
        "signed_char" | "unsigned_char" | "UTF" => Shown::Char,
        "unsigned" | "address" => Shown::Unsigned,
        _ => Shown::Signed,
    }
}

/// Whether the compiler made a variable up: `this`, and what it needs for loops over ranges.
pub(super) fn is_artificial(name: &str) -> bool {
    name.is_empty() || name == "this" || name.starts_with("__")
}
