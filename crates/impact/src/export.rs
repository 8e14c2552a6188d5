//! From the tree of the engine to the plain data of `schedule`.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use schedule::{Art, Choice, Edge};

use crate::game::{Arena, Memory, Position};
use crate::tree::{NodeId, Stop, Tree};

/// Whether the choices of a tree have a fair schedule that avoids what goes wrong.
pub(crate) enum Fair {
    /// They have this one.
    Schedule(Box<Art>),
    /// They have one, but its labels do not prove it.
    Unproven,
    /// They have none.
    Lost,
}

/// Which choices are permitted at a node, and what is to be remembered after each.
type Choose<'c, T> = dyn FnMut(&T, NodeId, &Memory) -> Vec<(usize, Memory)> + 'c;

impl Tree<'_, '_> {
    /// The label of a node as one formula.
    fn label(&mut self, node: NodeId) -> smt::TermId {
        let info = self.info(node);
        let facts = std::rc::Rc::clone(&self.nodes[node].facts);
        let mut parts = Vec::new();
        for (var, fact) in info.vars.iter().zip(facts.iter()) {
            let own = self.model.term_of(*var);
            parts.push(self.model.translator.pool.eq(own, *fact));
        }
        parts.extend(self.nodes[node].preds.iter().copied());
        self.model.translator.pool.and(parts)
    }

    fn art(&self, nodes: PrimaryMap<schedule::NodeId, schedule::Node>) -> Art {
        Art { pool: self.model.translator.pool.clone(), variables: self.model.variables().clone(), nodes }
    }

    /// All that is permitted: every choice that does not fail.
    pub(crate) fn export(&mut self) -> Art {
        self.unroll(&mut |tree, node, memory| {
            let choices = tree.nodes[node].choices.iter().enumerate();
            choices.filter(|(_, choice)| !choice.fails).map(|(at, _)| (at, memory.clone())).collect()
        })
    }

    /// The part of the tree, unrolled as far as the memory makes it necessary, that some choices lead to.
    fn unroll(&mut self, choose: &mut Choose<'_, Self>) -> Art {
        let mut nodes: PrimaryMap<schedule::NodeId, schedule::Node> = PrimaryMap::new();
        let mut known: FxHashMap<(NodeId, Memory), schedule::NodeId> = FxHashMap::default();
        let mut work = Vec::new();
        let root = NodeId::from_u32(0);
        self.exported(root, Memory::new(), &mut nodes, &mut known, &mut work);
        while let Some((node, memory, id)) = work.pop() {
            if let Some(by) = self.nodes[node].cover {
                let by = self.exported(by, memory, &mut nodes, &mut known, &mut work);
                nodes[id].cover = Some(by);
                nodes[id].renaming =
                    self.nodes[node].renaming.as_deref().map(<[u32]>::to_vec).unwrap_or_default();
                continue;
            }
            for (at, memory) in choose(self, node, &memory) {
                let thread = self.nodes[node].choices[at].thread;
                let mut edges = Vec::new();
                for child in self.nodes[node].choices[at].children.clone() {
                    let target = self.exported(child, memory.clone(), &mut nodes, &mut known, &mut work);
                    let parent = self.nodes[child].parent.as_ref();
                    let Some(path) = parent.map(|parent| &parent.path) else { continue };
                    let handles = path.handles.iter().map(|(_, thread)| *thread).collect();
                    edges.push(Edge { ops: path.ops.clone(), handles, target });
                }
                nodes[id].choices.push(Choice { thread, edges });
            }
        }
        self.art(nodes)
    }

    fn exported(
        &mut self,
        node: NodeId,
        memory: Memory,
        nodes: &mut PrimaryMap<schedule::NodeId, schedule::Node>,
        known: &mut FxHashMap<(NodeId, Memory), schedule::NodeId>,
        work: &mut Vec<(NodeId, Memory, schedule::NodeId)>,
    ) -> schedule::NodeId {
        let key = (node, memory);
        if let Some(id) = known.get(&key) {
            return *id;
        }
        let label = self.label(node);
        let location = self.info(node).location.clone();
        let id = nodes.push(schedule::Node {
            location,
            label,
            choices: Vec::new(),
            cover: None,
            renaming: Vec::new(),
        });
        known.insert(key.clone(), id);
        work.push((key.0, key.1, id));
        id
    }

    /// Looks for a fair schedule that avoids what goes wrong.
    pub(crate) fn fair_schedule(&mut self, dead: &[NodeId]) -> Result<Fair, Stop> {
        let mut arena = Arena::default();
        let mut positions: FxHashMap<NodeId, Position> = FxHashMap::default();
        for (node, known) in &self.nodes {
            if !known.removed && known.cover.is_none() {
                positions.insert(node, arena.position(true));
            }
        }
        let mut lost = vec![false; positions.len()];
        let mut picks: FxHashMap<Position, (NodeId, usize)> = FxHashMap::default();
        let threads = self.nodes.keys().map(|node| self.info(node).location.threads.len()).max().unwrap_or(0);
        arena.asked = vec![Vec::new(); threads];
        arena.granted = vec![Vec::new(); threads];
        let mut order: Vec<(NodeId, Position)> = positions.iter().map(|(node, at)| (*node, *at)).collect();
        order.sort_unstable();
        for (node, at) in order {
            let mut usable = false;
            for (number, choice) in self.nodes[node].choices.iter().enumerate() {
                arena.asked[choice.thread as usize].push(at);
                if choice.fails || !choice.surely {
                    continue;
                }
                usable = true;
                let pick = arena.position(false);
                lost.push(false);
                picks.insert(pick, (node, number));
                arena.granted[choice.thread as usize].push(pick);
                arena.edge(at, pick);
                for child in &choice.children {
                    let target = self.nodes[*child].cover.unwrap_or(*child);
                    arena.edge(pick, positions[&target]);
                }
                if choice.children.is_empty() {
                    let end = arena.position(true);
                    lost.push(false);
                    arena.edge(end, end);
                    arena.edge(pick, end);
                }
            }
            if !usable {
                // An end of the program, unless somebody could run.
                if dead.contains(&node) || !self.nodes[node].choices.is_empty() {
                    lost[at] = true;
                } else {
                    arena.edge(at, at);
                }
            }
        }
        let solving = &mut *self.solving;
        let root = positions[&NodeId::from_u32(0)];
        let Some(strategy) = arena.solve(&lost, root, &mut || solving.may_go_on())? else {
            return Ok(Fair::Lost);
        };
        // That a thread can run has to follow from the label.
        for (node, number) in picks.values().copied().collect::<Vec<_>>() {
            let guard = self.nodes[node].choices[number].guard;
            self.strengthen(node, guard)?;
        }
        if !self.reopened.is_empty() {
            return Ok(Fair::Unproven);
        }
        Ok(Fair::Schedule(Box::new(self.unroll(&mut |tree, node, memory| {
            if tree.nodes[node].choices.is_empty() {
                return Vec::new();
            }
            let mut memory = memory.clone();
            let pick = strategy.decide(&mut memory, positions[&node]);
            pick.and_then(|pick| picks.get(&pick)).map(|(_, number)| (*number, memory)).into_iter().collect()
        }))))
    }
}
