//! Small programs whose answer is plain, and random games that are solved in two ways.

use source::SourceMap;

use super::arena::{Arena, Builder, Pair, Player, Set};
use super::{Game, game, parity};
use crate::explore::Flow;
use crate::run::{Checks, Config};

fn parsed(text: &str) -> ir::Program {
    let mut map = SourceMap::default();
    let file = map.add("text.ir", format!("program;{text}"));
    let program = ir::text::parse(&map, file).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(ir::validate(&program), Ok(()));
    program
}

fn played(text: &str) -> Game {
    let game = game(&parsed(text), &Config::default(), &mut |_| Flow::Continue);
    assert!(game.finished && game.cuts.is_empty(), "{game:?}");
    game
}

/// Whether there is a violation, and whether a scheduler can avoid all.
fn answer(text: &str) -> (bool, bool) {
    let game = played(text);
    (game.bad, game.schedulable.expect("is known"))
}

const SAFE: (bool, bool) = (false, true);
const PARTIALLY_SAFE: (bool, bool) = (true, true);
const UNSAFE: (bool, bool) = (true, false);

#[test]
fn a_program_without_violations_is_safe() {
    let text = "var m: mutex; var x: int = 0; thread a; thread b;
        proc a() { e: acquire m; x := x + 1; release m; return; }
        proc b() { e: acquire m; x := x - 1; release m; assert x >= -1; return; }";
    assert_eq!(answer(text), SAFE);
}

#[test]
fn locks_in_two_orders_can_be_scheduled() {
    let text = "var m: mutex; var n: mutex; thread a; thread b;
        proc a() { e: goto l; l: acquire m; acquire n; release n; release m; goto l; }
        proc b() { e: goto l; l: acquire n; acquire m; release m; release n; goto l; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
}

#[test]
fn an_assertion_of_one_thread_fails_however_it_is_scheduled() {
    assert_eq!(answer("thread a; proc a() { e: assert false; return; }"), UNSAFE);
}

#[test]
fn producer_and_consumer_can_take_turns() {
    let text = "var count: int = 0; thread a; thread b;
        proc a() { e: goto l; l: assert count < 2; count := count + 1; goto l; }
        proc b() { e: goto l; l: assert count > 0; count := count - 1; goto l; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
}

/// The lock is taken first, so that whoever holds it has to go on.
#[test]
fn a_consumer_that_holds_the_lock_of_the_producer_is_too_late() {
    let text = "var m: mutex; var count: int = 0; thread a; thread b;
        proc a() { e: acquire m; count := count + 1; release m; return; }
        proc b() { e: acquire m; assert count > 0; release m; return; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
    let text = "var m: mutex; var count: int = 0; thread b;
        proc a() { e: acquire m; count := count + 1; release m; return; }
        proc b() { e: acquire m; spawn a(); assert count > 0; release m; return; }";
    assert_eq!(answer(text), UNSAFE);
}

/// Who has to be first depends on what the adversary chooses.
const CHOSEN: &str = "thread a; thread b; thread c;
        proc b() { e: await chosen; assert x || done; done := true; return; }
        proc c() { e: await chosen; assert !x || done; done := true; return; }";

#[test]
fn what_the_adversary_chose_can_be_seen() {
    let text = format!(
        "var x: bool = false; var chosen: bool = false; var done: bool = false; {CHOSEN}
        proc a() {{ e: choose l, k; l: x := true; goto n; k: x := false; goto n; n: chosen := true; return; }}"
    );
    assert_eq!(answer(&text), PARTIALLY_SAFE);
}

#[test]
fn what_the_adversary_has_not_yet_chosen_cannot_be_seen() {
    let text = format!(
        "var x: bool = false; var chosen: bool = false; var done: bool = false; {CHOSEN}
        proc a() {{ e: havoc x; chosen := true; return; }}"
    );
    assert_eq!(answer(&text), UNSAFE);
}

#[test]
fn the_adversary_chooses_initial_values() {
    let text = "var x: bool; var y: bool = false; thread a; thread b;
        proc a() { e: await true; assert x || y; return; }
        proc b() { e: y := true; return; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
    let text = "var x: bool; thread a; proc a() { e: assert x; return; }";
    assert_eq!(answer(text), UNSAFE);
    let text = "const c: bool; axiom c; thread a; proc a() { e: assert c; return; }";
    assert_eq!(answer(text), SAFE);
}

#[test]
fn a_spinning_thread_does_not_keep_others_from_running() {
    // The assertion fails unless the spinning is over first, which it is only if the other thread runs.
    let text = "var flag: bool = false; var seen: bool = false; thread a; thread b; thread c;
        proc a() { e: goto l; l: branch flag then k else l; k: seen := true; return; }
        proc b() { e: flag := true; return; }
        proc c() { e: await true; assert seen; return; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
}

#[test]
fn an_unfair_scheduler_does_not_count() {
    // The second thread is always enabled, and fails when it runs.
    let text = "var x: int = 0; thread a; thread b;
        proc a() { e: goto l; l: x := 1 - x; goto l; }
        proc b() { e: assert x > 1; return; }";
    assert_eq!(answer(text), UNSAFE);
}

/// The second thread is enabled again and again, but never when it need not fail.
#[test]
fn strong_fairness_is_asked_for() {
    let loops = "thread a; thread b; var x: int = 0;
        proc a() { e: goto l; l: x := 1; x := 0; goto l; }";
    assert_eq!(answer(&format!("{loops} proc b() {{ e: await x == 1; assert false; return; }}")), UNSAFE);
    assert_eq!(answer(&format!("{loops} proc b() {{ e: await x == 2; assert false; return; }}")), SAFE);
    // It may have to run at the right moment.
    let text = format!("{loops} proc b() {{ e: await x >= 0; assert x == 1; return; }}");
    assert_eq!(answer(&text), PARTIALLY_SAFE);
}

#[test]
fn the_adversary_may_never_let_the_right_moment_come() {
    let text = "thread a; thread b; var x: int = 0;
        proc a() { e: goto l; l: choose m, n; m: x := 1; x := 0; goto l; n: x := 0; goto l; }
        proc b() { e: assert x == 1; return; }";
    assert_eq!(answer(text), UNSAFE);
    // While it does not come, the other thread is not enabled.
    let text = "thread a; thread b; var x: int = 0;
        proc a() { e: goto l; l: choose m, n; m: x := 1; x := 2; x := 0; goto l; n: x := 0; goto l; }
        proc b() { e: await x > 0; assert x == 1; return; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
}

#[test]
fn some_deadlocks_cannot_be_avoided() {
    let text = "var m: mutex; thread a; thread b;
        proc a() { e: acquire m; return; }
        proc b() { e: acquire m; return; }";
    assert_eq!(answer(text), UNSAFE);
    let config = Config { checks: Checks { deadlocks: false, ..Checks::default() }, ..Config::default() };
    let game = game(&parsed(text), &config, &mut |_| Flow::Continue);
    assert_eq!((game.bad, game.schedulable), (false, Some(true)));
}

#[test]
fn what_stays_at_an_assume_is_no_deadlock() {
    let text = "var x: int = 0; thread a; proc a() { e: await true; assume x == 1; assert false; return; }";
    assert_eq!(answer(text), SAFE);
    let text = "var x: int = 0; thread a; proc a() { e: await true; await x == 1; assert false; return; }";
    assert_eq!(answer(text), UNSAFE);
}

#[test]
fn an_exit_ends_the_program() {
    let text = "var m: mutex; thread a; thread b;
        proc a() { e: acquire m; assert true; exit; }
        proc b() { e: acquire m; acquire m; return; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
}

#[test]
fn a_step_fails_if_the_adversary_can_make_it_fail() {
    let text = "thread a; thread b; var y: bool = false;
        proc a() { local x: bool; e: begin atomic; havoc x; assert x || y; end atomic; return; }
        proc b() { e: y := true; return; }";
    assert_eq!(answer(text), PARTIALLY_SAFE);
    // Choices that block are not steps.
    let text = "thread a;
        proc a() { local x: bool; e: begin atomic; havoc x; assume x; assert x; end atomic; return; }";
    assert_eq!(answer(text), SAFE);
}

#[test]
fn failures_that_are_not_looked_for_end_a_play() {
    let text = "var p: int = 0; thread a; thread b;
        proc a() { e: assert p == 1; return; }
        proc b() { e: p := 0; return; }";
    assert_eq!(answer(text), UNSAFE);
    let config = Config { checks: Checks { assertions: false, ..Checks::default() }, ..Config::default() };
    let game = game(&parsed(text), &config, &mut |_| Flow::Continue);
    assert_eq!((game.bad, game.schedulable), (false, Some(true)));
}

#[test]
fn nothing_is_known_after_an_access_that_is_not_valid() {
    let text = "thread a; proc a() { e: assert.memory false; return; }";
    assert_eq!(answer(text), UNSAFE);
    let config = Config { checks: Checks { memory: false, ..Checks::default() }, ..Config::default() };
    let game = game(&parsed(text), &config, &mut |_| Flow::Continue);
    assert_eq!((game.bad, game.schedulable, game.cuts.len()), (false, None, 1));
}

#[test]
fn what_cannot_be_followed_is_not_known() {
    let text = "thread a; proc a() { e: opaque \"something\"; return; }";
    let game = game(&parsed(text), &Config::default(), &mut |_| Flow::Continue);
    assert_eq!((game.bad, game.schedulable, game.cuts.len()), (false, None, 1));
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((z ^ (z >> 31)) % u64::from(bound)).expect("is small")
    }
}

fn random_game(seed: u64) -> (Arena, Set) {
    let mut random = Random(seed);
    let count = 2 + random.below(9);
    let mut builder = Builder::default();
    for _ in 0..count {
        builder.position(if random.below(2) == 0 { Player::Scheduler } else { Player::Adversary });
    }
    let mut lost = vec![false; count as usize];
    let loses = random.below(3) == 0;
    for position in 0..count {
        if loses && random.below(8) == 0 {
            lost[position as usize] = true;
            continue;
        }
        for _ in 0..=random.below(3) {
            builder.edge(position, random.below(count));
        }
    }
    let mut pairs = Vec::new();
    for _ in 0..=random.below(3) {
        let (rare, often) = (2 + random.below(5), 2 + random.below(3));
        let mut pick = |one_in: u32| (0..count).filter(|_| random.below(one_in) == 0).collect();
        pairs.push(Pair { asked: pick(often), granted: pick(rare) });
    }
    (builder.finish(pairs), lost)
}

#[test]
fn two_ways_to_solve_a_game_agree() {
    let (mut all_won, mut none_won) = (0, 0);
    for seed in 0..3000 {
        let (arena, lost) = random_game(seed);
        let won = arena.won(&lost);
        assert_eq!(won, parity::won(&arena, &lost), "seed {seed}");
        all_won += usize::from(won.iter().all(|&won| won));
        none_won += usize::from(won.iter().all(|&won| !won));
    }
    assert!(all_won < 1500 && none_won < 1500, "all: {all_won}, none: {none_won}");
}

/// What the scheduler does leaves the adversary no way to win: on no cycle of the game with memory is a pair asked for and
/// not granted.
#[test]
fn strategies_win() {
    for seed in 0..3000 {
        let (arena, lost) = random_game(seed);
        let won = arena.won(&lost);
        let strategy = arena.strategy(&won);
        let mut places = indexmap::IndexSet::new();
        for position in (0..arena.len()).filter(|&position| won[position]) {
            places.insert((position, strategy.remember(position, &[])));
        }
        let mut edges: Vec<Vec<u32>> = Vec::new();
        while edges.len() < places.len() {
            let (position, memory) = places[edges.len()].clone();
            assert!(won[position], "seed {seed}: the scheduler leaves what it wins");
            let moves = match arena.owner(position) {
                Player::Scheduler => vec![strategy.choice(&arena, position, &memory)],
                Player::Adversary => arena.moves(position).to_vec(),
            };
            let mut targets = Vec::new();
            for to in moves {
                assert!(arena.moves(position).contains(&to), "seed {seed}: there is no such move");
                let memory = strategy.remember(to as usize, &memory);
                let (place, _) = places.insert_full((to as usize, memory));
                targets.push(u32::try_from(place).expect("is small"));
            }
            edges.push(targets);
        }
        for pair in &arena.pairs {
            let is_in = |set: &[u32], place: u32| {
                set.contains(&u32::try_from(places[place as usize].0).expect("is small"))
            };
            let rest: Vec<u32> = (0..u32::try_from(places.len()).expect("is small"))
                .filter(|&p| !is_in(&pair.granted, p))
                .collect();
            let parts = crate::scc::components(&rest, places.len(), |p, out| out.extend(&edges[p as usize]));
            for part in parts {
                let cyclic = part.len() > 1 || edges[part[0] as usize].contains(&part[0]);
                let asked = part.iter().any(|&p| is_in(&pair.asked, p));
                assert!(!(cyclic && asked), "seed {seed}: a pair is asked for and not granted");
            }
        }
    }
}
