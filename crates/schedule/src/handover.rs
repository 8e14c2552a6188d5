//! Fewer hand-overs between threads.
//!
//! To wait for what another processor does takes about as long as hundreds of instructions, even if it is done by then. Where a
//! thread waits for somebody, and a few instructions later again for what comes a little later, it is better off to wait once, for both: then the
//! others need not say so often how far they are, either. Such a constraint is stronger than the smallest order, and still has
//! all events in the order of the list, so every execution that it permits is one of those that were permitted before.

use crate::order::Clock;

/// Time that is worth a hand-over, in ops of the program.
const SHORT: u64 = 256;

/// What an event is for this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) thread: u32,
    /// How many ops it has, with all that its thread does on its own after it.
    pub(crate) ops: u64,
}

impl Task {
    /// The ops of an event that takes long, however few it has.
    pub(crate) const LONG: u64 = SHORT + 1;
}

/// Moves constraints to earlier events of the same threads that wait anyway, where that costs little time. The constraints are
/// those of a list of events, each for events that come before it.
pub(crate) fn gather(tasks: &[Task], constraints: &mut [Clock]) {
    let threads = tasks.iter().map(|task| task.thread + 1).max().unwrap_or(0) as usize;
    // Where the events of each thread are, and how many ops come before each event in the list.
    let mut of_thread: Vec<Vec<usize>> = vec![Vec::new(); threads];
    let mut before: Vec<u64> = Vec::with_capacity(tasks.len() + 1);
    let mut sum = 0;
    // How many ops of its own thread come before each event.
    let mut own: Vec<u64> = Vec::with_capacity(tasks.len());
    let mut sums: Vec<u64> = vec![0; threads];
    for (at, task) in tasks.iter().enumerate() {
        of_thread[task.thread as usize].push(at);
        before.push(sum);
        own.push(sums[task.thread as usize]);
        sum += task.ops;
        sums[task.thread as usize] += task.ops;
    }
    let position = |&(thread, count): &(u32, u32)| of_thread[thread as usize][count as usize - 1];
    // The last event of each thread that waits, and the last event that it waits for.
    let mut anchors: Vec<Option<(usize, usize)>> = vec![None; threads];
    for at in 0..tasks.len() {
        let Some(latest) = constraints[at].iter().map(position).max() else { continue };
        let anchor = &mut anchors[tasks[at].thread as usize];
        match anchor {
            Some((first, waits_for))
                if latest < *first
                    && own[at] - own[*first] <= SHORT
                    && before[latest].saturating_sub(before[*waits_for]) <= SHORT =>
            {
                for (thread, count) in core::mem::take(&mut constraints[at]) {
                    match constraints[*first].iter_mut().find(|(other, _)| *other == thread) {
                        Some((_, known)) => *known = count.max(*known),
                        None => constraints[*first].push((thread, count)),
                    }
                }
                constraints[*first].sort_unstable();
                *waits_for = latest.max(*waits_for);
            }
            _ => *anchor = Some((at, latest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::closure;

    fn tasks(threads: &[u32]) -> Vec<Task> {
        threads.iter().map(|thread| Task { thread: *thread, ops: 1 }).collect()
    }

    /// Two threads that pass values through two cells: what one wrote the other reads, and then it may be written again.
    const RING: [u32; 6] = [0, 1, 1, 0, 0, 1];

    fn ring() -> Vec<Clock> {
        // write 0; write 1, read 0; read 1, write 0; write 1
        vec![vec![], vec![], vec![(0, 1)], vec![(1, 1)], vec![(1, 2)], vec![(0, 2)]]
    }

    #[test]
    fn waits_that_follow_each_other_are_one() {
        let mut constraints = ring();
        gather(&tasks(&RING), &mut constraints);
        assert_eq!(constraints[3], [(1, 2)]);
        assert_eq!(constraints[4], []);
    }

    #[test]
    fn nobody_waits_for_what_takes_long() {
        // Thread 1 works between the two events that are waited for.
        let mut slow = tasks(&RING);
        slow[1].ops = Task::LONG;
        let mut constraints = ring();
        gather(&slow, &mut constraints);
        assert_eq!(constraints, ring());
        // Thread 0 works between the two events that wait.
        let mut slow = tasks(&RING);
        slow[3].ops = Task::LONG;
        gather(&slow, &mut constraints);
        assert_eq!(constraints, ring());
    }

    #[test]
    fn the_order_only_becomes_stronger_and_the_list_stays_possible() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..500 {
            let count = random.usize(1..24);
            let tasks: Vec<Task> = (0..count)
                .map(|_| Task { thread: random.u32(0..3), ops: [1, 20, 300][random.usize(0..3)] })
                .collect();
            let threads: Vec<u32> = tasks.iter().map(|task| task.thread).collect();
            let mut constraints: Vec<Clock> = vec![Clock::new(); count];
            for (at, clock) in constraints.iter_mut().enumerate() {
                for other in (0..3).filter(|other| *other != threads[at]) {
                    let done = threads[..at].iter().filter(|thread| **thread == other).count();
                    let asked = u32::try_from(random.usize(0..=done)).unwrap();
                    if asked > 0 && random.bool() {
                        clock.push((other, asked));
                    }
                }
            }
            let old = closure(&threads, &constraints).unwrap();
            let waits = |clocks: &[Clock]| clocks.iter().filter(|clock| !clock.is_empty()).count();
            let many = waits(&constraints);
            gather(&tasks, &mut constraints);
            assert!(waits(&constraints) <= many);
            let new = closure(&threads, &constraints).expect("nobody waits for what comes later");
            for (old, new) in old.iter().zip(&new) {
                for (thread, count) in old {
                    assert!(new.iter().any(|(other, more)| other == thread && more >= count));
                }
            }
        }
    }
}
