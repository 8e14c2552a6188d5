use impact::*;
#[test]
fn dbg() {
    let text = std::env::var("BPL").map(|p| std::fs::read_to_string(p).unwrap()).unwrap();
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    let program = boogie::load(&map, file, None).expect("is a program").program;
    let mut solver = smt::Z3::new();
    let t = std::time::Instant::now();
    let outcome = verify(&program, &engine::Config::default(), &Options { until: Until::Complete, max_schedules: 4 }, &mut solver,
        &mut |_| (t.elapsed().as_secs() < 60).then(smt::Limits::default), &mut |_, _| Ok(()), &mut |_| {}).unwrap();
    eprintln!("{:?} {:?} {:?}", std::mem::discriminant(&outcome.verdict), outcome.statistics, t.elapsed());
}
