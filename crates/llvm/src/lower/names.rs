//! What the user calls things: variables, fields, elements.

use ir::{Look, Part, Region, Shown};
use rustc_hash::FxHashSet;
use source::Span;

use super::context::Context;
use crate::activations::Instances;
use crate::module::{self, DebugType, DebugTypeId, Global, Member, TypeId, TypeKind};
use crate::objects::{ObjectId, ObjectKind};

impl Context<'_> {
    /// The name of an object.
    pub(super) fn object_name(&self, object: ObjectId) -> String {
        match self.points_to.objects.all[object].kind {
            ObjectKind::Global(global) => {
                let global = &self.module.globals[global];
                if let Some(text) = self.text_of(global) {
                    return text;
                }
                let name = global.variable.as_ref().map_or(&global.name, |variable| &variable.name);
                named(if name.is_empty() { &global.name } else { name })
            }
            ObjectKind::Func(func) => self.module.funcs[func].source_name.clone(),
            ObjectKind::Stack(func, value) => {
                let func = &self.module.funcs[func];
                let variable = func.variables[value].as_ref();
                named(variable.map_or(&func.values[value].name, |variable| &variable.name))
            }
            ObjectKind::Heap(..) => self
                .points_to
                .objects
                .ty(object)
                .and_then(|ty| self.struct_name(ty))
                .unwrap_or_else(|| "heap".to_owned()),
        }
    }

    /// A text of the program, which has no name, in quotes.
    fn text_of(&self, global: &Global) -> Option<String> {
        const LONGEST: usize = 20;
        let named = global.variable.as_ref().is_some_and(|variable| !variable.name.is_empty());
        if !global.constant || named || !global.name.starts_with(".str") {
            return None;
        }
        let bytes = super::image::image(self.module, &self.placements, global.init?);
        let text = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" .,:;!?'()<>=+-*/&|_".contains(byte);
        if !text.iter().all(plain) {
            return Some("\"…\"".to_owned());
        }
        let text = String::from_utf8_lossy(text);
        let end = if text.len() > LONGEST { "…" } else { "" };
        Some(format!("\"{}{end}\"", &text[..text.len().min(LONGEST)]))
    }

    fn struct_name(&self, ty: TypeId) -> Option<String> {
        match &self.module.types[ty].kind {
            TypeKind::Struct { name: Some(name), .. } => {
                let plain = name.strip_prefix("struct.").or_else(|| name.strip_prefix("union."));
                Some(plain.or_else(|| name.strip_prefix("class.")).unwrap_or(name).to_owned())
            }
            _ => None,
        }
    }

    /// Where an object is declared or allocated.
    pub(super) fn object_span(&self, object: ObjectId) -> Span {
        match self.points_to.objects.all[object].kind {
            ObjectKind::Global(global) => {
                self.module.globals[global].variable.as_ref().map_or(Span::NONE, |variable| variable.span)
            }
            ObjectKind::Func(func) => self.module.funcs[func].span,
            ObjectKind::Stack(func, value) => {
                let variable = self.module.funcs[func].variables[value].as_ref();
                variable.map_or(self.module.funcs[func].span, |variable| variable.span)
            }
            ObjectKind::Heap(func, (block, at)) => {
                self.module.funcs[func].blocks[block].instrs[at as usize].span
            }
        }
    }

    /// The name of a cell as it is shown: `counter`, `queue.head`, `flag[0]`, with braces for an instance and indices that
    /// are known only when the program runs; and how its value is shown.
    pub(super) fn look(&self, object: ObjectId, offset: u64) -> Look {
        let (path, ty) = self.path(object, offset, false);
        let value = ty.map_or(Shown::Signed, |ty| self.shown(ty));
        Look { name: format!("{}{path}", self.instance_name(object)), value }
    }

    /// The name of an object, with braces if there are several.
    fn instance_name(&self, object: ObjectId) -> String {
        let name = self.object_name(object);
        match self.instances(object) {
            Instances::One => name,
            // One per thread: whose it is, is clear from who uses it.
            Instances::Thread => format!("{name}{{_}}"),
            Instances::Counted => format!("{name}#{{}}"),
        }
    }

    /// The name of the synchronization object at an offset, with braces for an instance and indices.
    pub(super) fn synchronization_name(&self, object: ObjectId, offset: u64) -> String {
        format!("{}{}", self.instance_name(object), self.path(object, offset, true).0)
    }

    /// The name of the struct or scalar at an offset.
    pub(super) fn object_path(&self, object: ObjectId, offset: u64) -> String {
        let name = format!("{}{}", self.object_name(object), self.path(object, offset, true).0);
        name.replace("{}", "").replace("{_}", "")
    }

    /// How values of a type are shown.
    pub(super) fn shown(&self, ty: DebugTypeId) -> Shown {
        match &self.module.debug_types[ty] {
            DebugType::Basic { shown, .. } => match shown {
                module::Shown::Signed => Shown::Signed,
                module::Shown::Bool => Shown::Bool,
                module::Shown::Char => Shown::Char,
                module::Shown::Unsigned | module::Shown::Float => Shown::Unsigned,
            },
            DebugType::Pointer(_) => Shown::Address,
            _ => Shown::Signed,
        }
    }

    /// What addresses point to.
    pub(super) fn regions(&self) -> Vec<Region> {
        let objects = self.points_to.objects.all.iter();
        objects
            .map(|(id, object)| {
                let placement = self.placements.of(id);
                let mut elements: FxHashSet<String> = FxHashSet::default();
                let parts = object.layout.cells.iter().map(|cell| {
                    let name = self.look(id, cell.offset).name;
                    // The first field of an element is where the element is.
                    let element = name.rfind(']').map_or("", |end| &name[..=end]).to_owned();
                    let first = !element.is_empty() && elements.insert(element.clone());
                    Part {
                        offset: cell.offset,
                        arrays: cell.dims.iter().map(|dim| (dim.start, dim.stride)).collect(),
                        name: if first { element } else { name },
                    }
                });
                Region {
                    start: placement.start,
                    end: placement.start + (1 << placement.bits()),
                    instance: 1 << placement.offset_bits,
                    name: self.instance_name(id),
                    parts: parts.collect(),
                }
            })
            .collect()
    }

    /// The way to a place in an object, and its type.
    fn path(&self, object: ObjectId, offset: u64, whole: bool) -> (String, Option<DebugTypeId>) {
        let module = self.module;
        let variable = match self.points_to.objects.all[object].kind {
            ObjectKind::Global(global) => module.globals[global].variable.as_ref(),
            ObjectKind::Stack(func, value) => module.funcs[func].variables[value].as_ref(),
            _ => None,
        };
        let folded: Vec<u64> = self.points_to.objects.all[object]
            .layout
            .cells
            .iter()
            .filter(|cell| cell.offset == offset)
            .flat_map(|cell| cell.dims.iter().map(|dim| dim.stride))
            .collect();
        let Some(ty) = self.points_to.objects.ty(object) else {
            return ("[{}]".repeat(folded.len()), None);
        };
        let size = module.types[ty].size.max(1);
        let debug = variable.and_then(|variable| variable.ty).or_else(|| self.debug_struct(ty));
        let cells = &self.points_to.objects.all[object].layout.cells;
        let cell = cells.iter().find(|cell| cell.offset == offset).map_or(1, |cell| cell.size);
        let walk = Walk { cx: self, folded: &folded, whole, bits: 8 * cell };
        // Elements of a block on the heap, or of an array whose length is computed.
        let total = self.points_to.objects.all[object].layout.size;
        let elements = !matches!(self.points_to.objects.all[object].kind, ObjectKind::Global(_))
            && total.is_none_or(|total| total > size);
        let prefix = match elements {
            false => String::new(),
            true if folded.contains(&size) => "[{}]".to_owned(),
            true => format!("[{}]", offset / size),
        };
        let (path, ty) = match debug {
            Some(debug) => walk.debug(debug, 8 * size, 8 * (offset % size)),
            None => (walk.plain(ty, offset % size), None),
        };
        (prefix + &path, ty)
    }

    /// The struct of the debug information that has the name of an LLVM struct.
    fn debug_struct(&self, ty: TypeId) -> Option<DebugTypeId> {
        let name = self.struct_name(ty)?;
        self.module
            .debug_types
            .iter()
            .find(|(_, debug)| matches!(debug, DebugType::Struct { name: own, .. } if *own == name))
            .map(|(id, _)| id)
    }
}

struct Walk<'a> {
    cx: &'a Context<'a>,
    folded: &'a [u64],
    /// Whether to stop at a synchronization object rather than name its parts.
    whole: bool,
    /// The bits of the cell.
    bits: u64,
}

impl Walk<'_> {
    /// Sizes and offsets in bits.
    fn debug(&self, ty: DebugTypeId, size: u64, offset: u64) -> (String, Option<DebugTypeId>) {
        match &self.cx.module.debug_types[ty] {
            DebugType::Struct { members, name, .. } => {
                if self.whole && offset == 0 && is_synchronization(name) {
                    return (String::new(), Some(ty));
                }
                let inside = members
                    .iter()
                    .find(|member| member.offset <= offset && offset < member.offset + member.size.max(1));
                let Some(member) = inside else { return (String::new(), None) };
                // Bit-fields of one word are one cell.
                let end = offset + self.bits;
                let is_part = |member: &Member| offset <= member.offset && member.offset < end;
                if member.size % 8 != 0 {
                    let fields = members.iter().filter(|member| is_part(member) && !member.name.is_empty());
                    let names: Vec<&str> = fields.map(|member| member.name.as_str()).collect();
                    return (format!(".{}", names.join("|")), None);
                }
                let (rest, ty) = self.debug(member.ty, member.size, offset - member.offset);
                // The types of POSIX are unions without a name of their own.
                let inner = name.is_empty() || rest.is_empty();
                if self.whole && inner && member.name.starts_with("__") {
                    return (String::new(), ty);
                }
                // The standard library of C++ names its own fields so.
                let inner = member.name.is_empty() || member.name.starts_with("_M_");
                if inner { (rest, ty) } else { (format!(".{}{rest}", member.name), ty) }
            }
            DebugType::Array(element, counts) => {
                let count: u64 = counts.iter().product::<u64>().max(1);
                let each = (size / count).max(8);
                let mut index = offset / each;
                let (rest, ty) = self.debug(*element, each, offset % each);
                let mut text = String::new();
                for (dim, _) in counts.iter().enumerate() {
                    let per: u64 = counts[dim + 1..].iter().product::<u64>().max(1);
                    if self.folded.contains(&(each * per / 8)) {
                        text += "[{}]";
                    } else if !self.folded.contains(&(each / 8)) {
                        text += &format!("[{}]", index / per);
                    }
                    index %= per;
                }
                (text + &rest, ty)
            }
            _ => (String::new(), Some(ty)),
        }
    }

    /// Without debug information: numbers of fields. In bytes.
    fn plain(&self, ty: TypeId, offset: u64) -> String {
        let module = self.cx.module;
        match &module.types[ty].kind {
            TypeKind::Struct { fields, .. } => {
                let after = fields.partition_point(|(at, _)| *at <= offset);
                let Some(number) = after.checked_sub(1) else { return String::new() };
                let (at, inner) = fields[number];
                format!(".{number}{}", self.plain(inner, offset - at))
            }
            TypeKind::Array { element, .. } => {
                let each = module.types[*element].size.max(1);
                let rest = self.plain(*element, offset % each);
                if self.folded.contains(&each) {
                    format!("[{{}}]{rest}")
                } else {
                    format!("[{}]{rest}", offset / each)
                }
            }
            _ => String::new(),
        }
    }
}

/// Something has to be said of what has no name.
fn named(name: &str) -> String {
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

fn is_synchronization(name: &str) -> bool {
    name.starts_with("pthread_")
        || name.starts_with("__pthread_")
        || matches!(name, "sem_t" | "mtx_t" | "cnd_t")
}
