use interp::Step;

use super::*;

fn witness() -> Witness {
    Witness {
        producer: "raddle 0.1.0".to_owned(),
        input: Input { file: "p.bpl".to_owned(), sha256: fingerprint(b"p"), compiled: None },
        entry: Some("main".to_owned()),
        scheduler: Scheduler::Dfw(2),
        switch_at: SwitchAt::Visible,
        int_range: IntRange::default(),
        limits: Limits::default(),
        responds: Some("wants ~> has".to_owned()),
        violation: Claimed {
            kind: ViolationKind::NonTermination,
            fairness: Fairness::Weak,
            message: "a runs for ever".to_owned(),
            location: Some(Location { file: "p.bpl".to_owned(), line: 3, column: 1 }),
            atomicity: None,
        },
        run: Run {
            initial: vec![-1],
            steps: vec![
                Step { thread: 0, delay: false, choices: vec![i64::MIN, 3] },
                Step { thread: 1, delay: true, choices: vec![] },
            ],
            lasso_start: Some(1),
        },
    }
}

fn error(change: impl Fn(String) -> String) -> String {
    Witness::parse(change(witness().to_json()).as_bytes()).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read() {
    assert_eq!(Witness::parse(witness().to_json().as_bytes()), Ok(witness()));
}

#[test]
fn how_a_program_is_compiled_is_kept() {
    let mut witness = witness();
    assert!(!witness.to_json().contains("compiled"));
    witness.input.compiled = Some(Compiled {
        folder: "..".to_owned(),
        files: vec![CompiledFile { file: "p.c".to_owned(), sha256: fingerprint(b"p") }],
        flags: vec!["-DN=2".to_owned()],
        spurious_wakeups: true,
        reuse: true,
        transactions: false,
        arguments: Vec::new(),
    });
    assert_eq!(Witness::parse(witness.to_json().as_bytes()), Ok(witness));
}

#[test]
fn what_is_not_a_witness_is_refused() {
    assert!(error(|_| String::new()).starts_with("is not a witness: not JSON"));
    assert!(error(|json| json[..json.len() / 2].to_owned()).starts_with("is not a witness: not JSON"));
    assert!(error(|_| "[1]".to_owned()).starts_with("is not a witness: it has no field"));
    assert!(
        error(|json| json.replace("raddle-witness/1", "x")).starts_with("is not a witness: it has no field")
    );
    assert_eq!(
        error(|json| json.replace("raddle-witness/1", "raddle-witness/2")),
        "has the schema \"raddle-witness/2\"; this version of raddle reads \"raddle-witness/1\""
    );
}

#[test]
fn damaged_fields_are_named() {
    assert!(error(|json| json.replace("\"thread\": 0", "\"thread\": -1")).contains("expected usize"));
    assert!(error(|json| json.replace("\"entry\"", "\"enter\"")).contains("unknown field `enter`"));
    assert!(
        error(|json| json.replace("\"lasso_start\": 1", "\"lasso_start\": 2")).contains("there are 2 steps")
    );
    assert!(error(|json| json.replace("\"dfw\"", "\"all\"")).contains("has no \"delays\""));
    assert!(error(|json| json.replace("\"frames\": 256", "\"frames\": 0")).contains("0 frames"));
    assert!(error(|json| json.replace("non-termination", "oops")).contains("unknown kind \"oops\""));
    assert!(error(|json| json.replace("non-termination", "deadlock")).contains("if, and only if"));
}
