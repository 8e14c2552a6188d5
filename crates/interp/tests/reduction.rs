//! What the partial-order reduction must not leave out.

use interp::{Config, Flow, explore};

/// The end of the program must not hide a failure that touches no global.
#[test]
fn exit_hides_no_failure() {
    let text = "
        program;
        thread a;
        thread b;
        proc a() {
        entry:
          exit;
        }
        proc b() {
          local i: int;
        entry:
          assert i == 0;
          return;
        }
    ";
    let mut map = source::SourceMap::default();
    let file = map.add("text.ir", text);
    let program = ir::text::parse(&map, file).expect("is a program");
    for reduction in [false, true] {
        let config = Config { reduction, ..Config::default() };
        let exploration = explore(&program, &config, &mut |_| Flow::Continue);
        assert_eq!(exploration.violations.len(), 1, "reduction: {reduction}");
    }
}
