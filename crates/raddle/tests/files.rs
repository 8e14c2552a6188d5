//! The tests that are data: everything below `tests/`, and the examples in the documents.

fn main() -> std::process::ExitCode {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    filetest::main(env!("CARGO_BIN_EXE_raddle").as_ref(), root.as_ref())
}
