//! The tests that are data: everything below `tests/`.

fn main() -> std::process::ExitCode {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");
    filetest::main(env!("CARGO_BIN_EXE_raddle").as_ref(), tests.as_ref())
}
