//! S-expressions, as solvers print models and cores.
//!
//! They live in an arena, so that neither reading nor dropping a deep one uses the stack.

/// Names an expression of an [`Arena`].
pub(crate) type NodeId = usize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A symbol (without its bars), number or keyword.
    Atom(String),
    /// A string literal, without its quotes.
    Text(String),
    List(Vec<NodeId>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    nodes: Vec<Node>,
}

impl Arena {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(crate) fn atom(&self, id: NodeId) -> Option<&str> {
        match self.node(id) {
            Node::Atom(text) => Some(text),
            Node::Text(_) | Node::List(_) => None,
        }
    }

    pub(crate) fn list(&self, id: NodeId) -> Option<&[NodeId]> {
        match self.node(id) {
            Node::List(items) => Some(items),
            Node::Atom(_) | Node::Text(_) => None,
        }
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// Reads all expressions of a text; the error says what is wrong with it.
pub(crate) fn read(text: &str) -> Result<(Arena, Vec<NodeId>), String> {
    let mut arena = Arena::default();
    // The lists that are open, the outermost being the text itself.
    let mut open: Vec<Vec<NodeId>> = vec![Vec::new()];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        let node = match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                continue;
            }
            ')' => {
                rest = &rest[1..];
                match open.pop() {
                    Some(items) if !open.is_empty() => Node::List(items),
                    _ => return Err("`)` without `(`".to_owned()),
                }
            }
            ';' => {
                rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            '|' => {
                let (name, after) = rest[1..].split_once('|').ok_or("a quoted symbol without end")?;
                rest = after;
                Node::Atom(name.to_owned())
            }
            '"' => {
                let (text, after) = string_literal(&rest[1..]).ok_or("a string without end")?;
                rest = after;
                Node::Text(text)
            }
            _ => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|' | ';'))
                    .unwrap_or(rest.len());
                let (atom, after) = rest.split_at(end);
                rest = after;
                Node::Atom(atom.to_owned())
            }
        };
        let id = arena.add(node);
        open.last_mut().ok_or("`)` without `(`")?.push(id);
    }
    match open.pop() {
        Some(top) if open.is_empty() => Ok((arena, top)),
        _ => Err("`(` without `)`".to_owned()),
    }
}

/// The literal up to its closing quote (two quotes stand for one), and what follows.
fn string_literal(text: &str) -> Option<(String, &str)> {
    let mut literal = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"')?;
        literal.push_str(part);
        rest = after;
        match after.strip_prefix('"') {
            Some(after) => {
                literal.push('"');
                rest = after;
            }
            None => return Some((literal, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_atoms_lists_quotes_and_comments() {
        let (arena, top) = read("sat (a |b c| \"d\"\"e\" ()) ; no ( here\n#x0f").unwrap();
        assert_eq!(top.len(), 3);
        assert_eq!(arena.atom(top[0]), Some("sat"));
        let list = arena.list(top[1]).unwrap();
        assert_eq!(arena.atom(list[1]), Some("b c"));
        assert_eq!(arena.node(list[2]), &Node::Text("d\"e".to_owned()));
        assert_eq!(arena.list(list[3]), Some(&[][..]));
        assert_eq!(arena.atom(top[2]), Some("#x0f"));
    }

    #[test]
    fn refuses_what_is_not_balanced() {
        for text in ["(", ")", "(a", "a)", "|a", "\"a", "\"a\"\""] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn deep_nesting_does_not_use_the_stack() {
        let depth = 500_000;
        let text = "(".repeat(depth) + &")".repeat(depth);
        assert_eq!(read(&text).unwrap().1.len(), 1);
    }
}
