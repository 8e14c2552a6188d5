//! Strongly connected components of a part of the state graph (Tarjan 1972, without recursion).

use crate::pack::StateId;

/// The components of the subgraph of `nodes` whose edges `targets` gives; edges that leave `nodes` are ignored.
/// Components that consist of a single node are included, whether it has an edge to itself or not.
pub(crate) fn components(
    nodes: &[StateId],
    count: usize,
    mut targets: impl FnMut(StateId, &mut Vec<StateId>),
) -> Vec<Vec<StateId>> {
    const OUTSIDE: u32 = u32::MAX;
    const NEW: u32 = u32::MAX - 1;
    let mut order = vec![OUTSIDE; count];
    for &node in nodes {
        order[node as usize] = NEW;
    }
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut next_order = 0;
    for &root in nodes {
        if order[root as usize] != NEW {
            continue;
        }
        let mut work: Vec<(StateId, Vec<StateId>, usize)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                order[node as usize] = next_order;
                low[node as usize] = next_order;
                next_order += 1;
                stack.push(node);
                on_stack[node as usize] = true;
                let mut followers = Vec::new();
                targets(node, &mut followers);
                work.push((node, followers, 0));
            }
            let Some((node, followers, at)) = work.last_mut() else { break };
            let node = *node as usize;
            if let Some(&target) = followers.get(*at) {
                *at += 1;
                let target = target as usize;
                if order[target] == NEW {
                    enter = Some(followers[*at - 1]);
                } else if order[target] != OUTSIDE && on_stack[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, ..)) = work.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member as usize == node {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_components_within_the_given_nodes() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 0)];
        let run = |nodes: &[StateId]| {
            let mut all = components(nodes, 6, |node, out| {
                out.extend(edges.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to));
            });
            all.sort();
            all
        };
        assert_eq!(run(&[0, 1, 2, 3, 4, 5]), [vec![0, 1, 2], vec![3, 4], vec![5]]);
        assert_eq!(run(&[0, 1, 3, 4]), [vec![0], vec![1], vec![3, 4]]);
    }
}
