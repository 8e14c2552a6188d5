//! Ops. Their keywords are not reserved: a word is a keyword only where no name can stand.

use super::procedure::Labels;
use super::{Parsed, Parser};
use crate::text::lex::Kind;
use crate::text::name::is_reserved;
use crate::{AccessOrder, AssertKind, ExprId, Op, Place, PlaceBase, SyncKind, SyncOp};

impl Parser<'_> {
    /// An op without its semicolon.
    pub(super) fn op(&mut self, labels: &Labels) -> Parsed<Op> {
        let keyword = match (self.cursor.kind(), self.cursor.peek(1)) {
            // What is assigned to, or indexed, is a name.
            (_, Kind::Symbol(":=" | "," | "[" | "::")) | (Kind::Quoted(_), _) => return self.assigned(),
            (Kind::Word(word), _) => *word,
            _ => return Err(self.cursor.expected("a statement or a label")),
        };
        if let Some(kind) = sync_kind(keyword) {
            self.cursor.skip();
            return self.sync(kind, None);
        }
        if let Some(op) = self.control(keyword, labels) {
            return op;
        }
        let span = self.cursor.span();
        self.cursor.skip();
        Ok(match keyword {
            "skip" => assign(Vec::new(), Vec::new(), AccessOrder::Plain),
            "atomic" => {
                if self.cursor.take_word("skip") {
                    return Ok(assign(Vec::new(), Vec::new(), AccessOrder::Atomic));
                }
                let (targets, values) = self.assignment()?;
                assign(targets, values, AccessOrder::Atomic)
            }
            "havoc" if self.cursor.is(";") => Op::Havoc { targets: Vec::new() },
            "havoc" => Op::Havoc { targets: self.places()? },
            "assume" => Op::Assume(self.expr()?),
            "await" => {
                let guard = self.expr()?;
                let (targets, values) =
                    if self.cursor.take_word("then") { self.assignment()? } else { Default::default() };
                Op::Await { guard, targets, values }
            }
            "assert" | "assert.memory" => {
                let kind = if keyword == "assert" { AssertKind::Assertion } else { AssertKind::Memory };
                let cond = self.expr()?;
                let message =
                    if self.cursor.is(";") { String::new() } else { self.cursor.text("a message or `;`")? };
                Op::Assert { cond, kind, message }
            }
            "call" => {
                let results = match self.cursor.peek(1) {
                    Kind::Symbol("(") => Vec::new(),
                    _ => {
                        let results = self.places()?;
                        self.cursor.expect(":=")?;
                        results
                    }
                };
                let proc = self.proc_name()?;
                Op::Call { proc, args: self.arguments()?, results }
            }
            "spawn" => {
                let proc = self.proc_name()?;
                Op::Spawn { proc, args: self.arguments()?, handle: None }
            }
            "wait" => Op::Wait { task: self.expr()?, results: Vec::new() },
            "begin" if self.cursor.take_word("transaction") => Op::TransactionBegin,
            "begin" => {
                self.cursor.expect_word("atomic")?;
                Op::AtomicBegin
            }
            "end" if self.cursor.take_word("transaction") => Op::TransactionEnd,
            "end" => {
                self.cursor.expect_word("atomic")?;
                Op::AtomicEnd
            }
            "yield" => Op::Yield,
            "progress" => Op::Progress,
            "opaque" => {
                let targets =
                    if let Kind::Text(_) = self.cursor.kind() { Vec::new() } else { self.places()? };
                Op::Opaque { targets, what: self.cursor.text("what it is, in quotes")? }
            }
            _ => return Err(self.cursor.error(span, format!("unknown statement `{keyword}`"))),
        })
    }

    /// An op that ends a block.
    fn control(&mut self, keyword: &str, labels: &Labels) -> Option<Parsed<Op>> {
        if !["goto", "branch", "choose", "return", "exit"].contains(&keyword) {
            return None;
        }
        self.cursor.skip();
        Some(match keyword {
            "goto" => self.label(labels).map(Op::Goto),
            "branch" => self.branch(labels),
            "choose" => self.choose(labels),
            "return" => Ok(Op::Return),
            _ => Ok(Op::Exit),
        })
    }

    fn branch(&mut self, labels: &Labels) -> Parsed<Op> {
        let cond = self.expr()?;
        self.cursor.expect_word("then")?;
        let then = self.label(labels)?;
        self.cursor.expect_word("else")?;
        Ok(Op::Branch { cond, then, otherwise: self.label(labels)? })
    }

    fn choose(&mut self, labels: &Labels) -> Parsed<Op> {
        let mut targets = Vec::new();
        if self.cursor.is(";") {
            return Ok(Op::Choose { targets, fair: None });
        }
        targets.push(self.label(labels)?);
        while self.cursor.take(",") {
            targets.push(self.label(labels)?);
        }
        let mut fair = None;
        if self.cursor.take_word("fair") {
            let span = self.cursor.span();
            let label = self.label(labels)?;
            fair = targets.iter().position(|target| *target == label);
            if fair.is_none() {
                return Err(self.cursor.error(span, "the fair label is not among the targets".to_owned()));
            }
        }
        Ok(Op::Choose { targets, fair })
    }

    /// An op that starts with the places it assigns.
    fn assigned(&mut self) -> Parsed<Op> {
        let targets = self.places()?;
        self.cursor.expect(":=")?;
        let span = self.cursor.span();
        let one = |parser: &mut Self| -> Parsed<Place> {
            match <[Place; 1]>::try_from(targets.clone()) {
                Ok([place]) => Ok(place),
                Err(_) => Err(parser.cursor.error(span, "this gives one result".to_owned())),
            }
        };
        // A word before a name is a keyword: no expression has two names in a row.
        let name_follows = match self.cursor.peek(1) {
            Kind::Word(next) => !is_reserved(next),
            next => matches!(next, Kind::Quoted(_)),
        };
        if let Kind::Word(word) = self.cursor.kind()
            && name_follows
        {
            if *word == "spawn" {
                let handle = Some(one(self)?);
                self.cursor.skip();
                let proc = self.proc_name()?;
                return Ok(Op::Spawn { proc, args: self.arguments()?, handle });
            }
            if let Some(kind) = sync_kind(word) {
                let result = one(self)?;
                self.cursor.skip();
                return self.sync(kind, Some(result));
            }
        }
        if self.cursor.take_word("wait") {
            return Ok(Op::Wait { task: self.expr()?, results: targets });
        }
        let values = self.exprs()?;
        Ok(assign(targets, values, AccessOrder::Plain))
    }

    fn assignment(&mut self) -> Parsed<(Vec<Place>, Vec<ExprId>)> {
        let targets = self.places()?;
        self.cursor.expect(":=")?;
        Ok((targets, self.exprs()?))
    }

    fn sync(&mut self, kind: SyncKind, result: Option<Place>) -> Parsed<Op> {
        let object = self.place()?;
        let mutex = if kind.takes_mutex() && !self.cursor.is(";") { Some(self.place()?) } else { None };
        let value = if self.cursor.is(";") { None } else { Some(self.expr()?) };
        Ok(Op::Sync(SyncOp { kind, object, mutex, value, result }))
    }

    fn places(&mut self) -> Parsed<Vec<Place>> {
        let mut places = vec![self.place()?];
        while self.cursor.take(",") {
            places.push(self.place()?);
        }
        Ok(places)
    }

    fn place(&mut self) -> Parsed<Place> {
        let span = self.cursor.span();
        let qualifier = match (self.cursor.kind(), self.cursor.peek(1)) {
            (Kind::Word(word), Kind::Symbol("::")) => Some(*word),
            _ => None,
        };
        if let Some(word) = qualifier {
            if !["local", "global"].contains(&word) {
                return Err(self.cursor.expected("`local` or `global` before `::`"));
            }
            self.cursor.skip();
            self.cursor.skip();
        }
        let name = self.cursor.name("a variable")?;
        let local = || self.names.locals.get(&name).map(PlaceBase::Local);
        let global = || self.names.globals.get(&name).map(PlaceBase::Global);
        let base = match qualifier {
            Some("local") => local(),
            Some(_) => global(),
            None => local().or_else(global),
        };
        let Some(base) = base else {
            return Err(self.cursor.error(span, format!("unknown variable `{name}`")));
        };
        let mut place = Place { base, path: Vec::new() };
        while self.cursor.take("[") {
            place.path.push(self.exprs()?);
            self.cursor.expect("]")?;
        }
        Ok(place)
    }

    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        self.cursor.expect("(")?;
        if self.cursor.take(")") {
            return Ok(Vec::new());
        }
        let args = self.exprs()?;
        self.cursor.expect(")")?;
        Ok(args)
    }
}

fn assign(targets: Vec<Place>, values: Vec<ExprId>, order: AccessOrder) -> Op {
    Op::Assign { targets, values, order }
}

fn sync_kind(word: &str) -> Option<SyncKind> {
    SyncKind::ALL.into_iter().find(|kind| kind.keyword() == word)
}
