//! The checker against the explorer, on random programs.

use interp::{Checks, Config, Flow, IntRange, Limits, SwitchAt};
use random::{Style, to_ir};
use smt::Z3;

use super::{Policy, unfold};
use crate::{Art, Claim, Location, NodeId, Question, Refusal, check};

/// How many programs there are of each style.
const PROGRAMS: u64 = 100;

fn question(claim: Claim, checks: Checks, switch_at: SwitchAt) -> Question {
    Question { claim, checks, switch_at }
}

/// Whether the explorer finds something wrong, if the program is small enough for it; and whether it tried all values.
fn explore(program: &ir::Program, checks: Checks, switch_at: SwitchAt) -> Option<(bool, bool)> {
    let config = Config {
        int_range: IntRange::new(0, 2)?,
        limits: Limits { threads: 16, frames: 16 },
        reduction: false,
        checks,
        switch_at,
        ..Config::default()
    };
    let mut control =
        |progress: &interp::Progress| if progress.states > 20_000 { Flow::Stop } else { Flow::Continue };
    let exploration = interp::explore(program, &config, &mut control);
    let all = exploration.finished && exploration.cuts.is_empty();
    all.then_some((!exploration.violations.is_empty(), !exploration.limited))
}

fn verdict(program: &ir::Program, art: &Art, question: &Question) -> Result<(), Refusal> {
    check(program, art, question, &mut Z3::new(), &|| Some(smt::Limits::default())).map(|_| ())
}

/// A tree is accepted only if nothing is wrong. If nothing is wrong and everything is in it, it is accepted.
fn proofs_agree(style: Style, policy: Policy, checks: Checks, switch_at: SwitchAt) {
    let (mut safe, mut violated) = (0, 0);
    for seed in 0..PROGRAMS {
        let program = to_ir(&random::program(seed, style));
        let Some((wrong, all)) = explore(&program, checks, switch_at) else { continue };
        let expanded = ir::expand(&program).program;
        let Some(unfolded) = unfold(&expanded, policy, switch_at, 1000) else { continue };
        let verdict = verdict(&program, &unfolded.art, &question(Claim::Safe, checks, switch_at));
        match (wrong, &verdict) {
            (true, Ok(())) => panic!("program {seed} is accepted, but wrong"),
            (false, Err(refusal)) if all && unfolded.exact && policy == Policy::All => {
                panic!("program {seed} is right, but refused: {refusal}")
            }
            (true, Err(_)) => violated += 1,
            (false, Ok(())) => safe += 1,
            (false, Err(_)) => {}
        }
    }
    // Programs of tasks have nothing that can go wrong.
    let enough = safe > 5 && (violated > 5 || style == Style::Tasks);
    assert!(enough, "{style:?}: {safe} accepted, {violated} rightly refused");
}

#[test]
fn proofs_of_threads() {
    proofs_agree(Style::Threads, Policy::All, Checks::default(), SwitchAt::Visible);
}

#[test]
fn proofs_of_tasks() {
    proofs_agree(Style::Tasks, Policy::All, Checks::default(), SwitchAt::Visible);
}

#[test]
fn proofs_of_mixed_programs() {
    proofs_agree(Style::Mixed, Policy::All, Checks::default(), SwitchAt::Visible);
}

#[test]
fn proofs_with_a_reduction() {
    for style in [Style::Threads, Style::Mixed] {
        proofs_agree(style, Policy::Reduced(3), Checks::default(), SwitchAt::Visible);
    }
}

#[test]
fn proofs_without_races() {
    let checks = Checks { races: true, ..Checks::default() };
    proofs_agree(Style::Mixed, Policy::All, checks, SwitchAt::Visible);
}

/// In whose places the threads of a location are at another one, by chance.
fn renaming(from: &Location, to: &Location, random: &mut fastrand::Rng) -> Option<Vec<u32>> {
    let mut left: Vec<u32> = (0u32..).take(to.threads.len()).collect();
    random.shuffle(&mut left);
    let mut places = Vec::new();
    for at in &from.threads {
        let found = left.iter().position(|place| to.threads[*place as usize] == *at)?;
        places.push(left.swap_remove(found));
    }
    left.is_empty().then_some(places)
}

/// A tree in which something was changed at random.
fn change(art: &mut Art, random: &mut fastrand::Rng) {
    let count = u32::try_from(art.nodes.len()).unwrap_or(1);
    let id = NodeId::from_u32(random.u32(0..count));
    let other = NodeId::from_u32(random.u32(0..count));
    let label = art.nodes[other].label;
    let same_place = art.nodes[other].location == art.nodes[id].location;
    let renaming = renaming(&art.nodes[id].location, &art.nodes[other].location, random);
    let node = &mut art.nodes[id];
    match random.u32(0..8) {
        0 => {
            let at = random.usize(0..node.choices.len().max(1));
            if at < node.choices.len() {
                node.choices.remove(at);
            }
        }
        1 => {
            if let Some(choice) = node.choices.first_mut() {
                choice.edges.pop();
            }
        }
        2 if same_place => node.label = label,
        3 if same_place => {
            node.choices.clear();
            node.cover = Some(other);
        }
        4..7 if let Some(renaming) = renaming => {
            node.choices.clear();
            node.cover = Some(other);
            node.renaming = renaming;
        }
        _ => {
            for edge in node.choices.iter_mut().flat_map(|choice| &mut choice.edges) {
                edge.target = other;
            }
        }
    }
}

/// Whatever is changed in a tree, it proves nothing that is wrong.
#[test]
fn changed_proofs_prove_nothing_wrong() {
    for twins in [false, true] {
        change_proofs(twins);
    }
}

/// With twins, the first thread is there twice.
fn change_proofs(twins: bool) {
    let mut random = fastrand::Rng::with_seed(5);
    let mut refused = 0;
    for seed in 0..PROGRAMS {
        let mut program = to_ir(&random::program(seed, Style::Threads));
        if twins {
            program.threads.insert(0, program.threads[0]);
        }
        let (checks, switch_at) = (Checks::default(), SwitchAt::Visible);
        let Some((true, _)) = explore(&program, checks, switch_at) else { continue };
        let expanded = ir::expand(&program).program;
        let Some(unfolded) = unfold(&expanded, Policy::All, switch_at, 300) else { continue };
        let question = question(Claim::Safe, checks, switch_at);
        for _ in 0..20 {
            let mut art = unfolded.art.clone();
            for _ in 0..random.usize(1..4) {
                change(&mut art, &mut random);
            }
            assert!(verdict(&program, &art, &question).is_err(), "program {seed}");
            refused += 1;
        }
    }
    assert!(refused > 50, "{refused}");
}
