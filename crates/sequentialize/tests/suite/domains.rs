//! The values that variables are found to have.

use engine::Domain;
use sequentialize::SwitchAt;

/// The domain of a global.
fn domain(text: &str, name: &str) -> Domain {
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    let program = boogie::load(&map, file, None).expect("is a program").program;
    let sequential = sequentialize::df(&program, 1, SwitchAt::Visible).expect("can be sequentialized");
    let (id, _) = sequential.program.globals.iter().find(|(_, g)| g.name == name).expect("is a global");
    sequential.domains.global(id).clone()
}

fn cells(indices: &[i64], cell: Domain) -> Domain {
    Domain::Cells { indices: indices.to_vec(), cell: Box::new(cell) }
}

#[test]
fn numbers_that_are_assigned() {
    let text = "var x, y: int;
        procedure T() modifies x; { x := 1 - x; }
        procedure main() modifies x, y; { x := 0; y := x; async call T(); async call T(); }";
    assert_eq!(domain(text, "x"), Domain::Numbers(vec![0, 1]));
    assert_eq!(domain(text, "Guess.x.1"), Domain::Numbers(vec![0, 1]));
    assert_eq!(domain(text, "y"), Domain::Numbers(vec![0, 1]));
}

#[test]
fn what_is_read_before_it_is_assigned_is_arbitrary() {
    let text = "var x, y: int;
        procedure T() modifies y; { if (x > 0) { y := 1; } }
        procedure main() modifies x, y; { async call T(); x := 3; }";
    assert_eq!(domain(text, "x"), Domain::Any);
    assert_eq!(domain(text, "y"), Domain::Numbers(vec![1]), "nobody reads what it is before");
    let copied = "var x, y: int;
        procedure T() modifies y; { y := x; }
        procedure main() modifies x, y; { async call T(); x := 3; assert y == 3; }";
    assert_eq!(domain(copied, "x"), Domain::Any, "it is read where it was copied to");
}

#[test]
fn numbers_that_grow_are_not_followed() {
    let text = "var x: int;
        procedure T() modifies x; { x := x + 1; }
        procedure main() modifies x; { x := 0; async call T(); }";
    assert_eq!(domain(text, "x"), Domain::Any);
    let bounded = "var x: int;
        procedure T() modifies x; { var i: int; i := 0; while (i < 3) { x := i; i := i + 1; } }
        procedure main() modifies x; { x := 7; async call T(); }";
    assert_eq!(domain(bounded, "x"), Domain::Numbers(vec![0, 1, 2, 7]));
}

#[test]
fn conditions_leave_few_values() {
    let text = "var x, y: int;
        procedure T() modifies x, y;
        {
            var a, b: int;
            havoc a;
            assume 0 < a && a < 4 && a != 2;
            havoc b;
            assume b == 5 || 8 == b;
            x, y := a, b;
        }
        procedure main() modifies x, y; { x, y := 1, 8; async call T(); }";
    assert_eq!(domain(text, "x"), Domain::Numbers(vec![1, 3]));
    assert_eq!(domain(text, "y"), Domain::Numbers(vec![5, 8]));
}

#[test]
fn maps_by_the_cells_that_are_used() {
    let text = "var wants: [int]bool; var turn: [int]int; var m: [int]mutex; var all, turn_of_others: [int]int; var seen: int;
        procedure T(me: int, other: int) modifies wants, turn, m, all, seen;
        {
            wants[me] := true;
            acquire m[me];
            if (wants[other]) { turn[5] := me; }
            seen := turn[5];
            all := turn_of_others;
        }
        procedure main() modifies wants, turn, m, all, seen;
        {
            turn[5] := 0;
            seen := 0;
            async call T(0, 1);
            async call T(1, 0);
        }";
    assert_eq!(domain(text, "wants"), cells(&[0, 1], Domain::Any));
    assert_eq!(domain(text, "turn"), cells(&[5], Domain::Numbers(vec![0, 1])));
    assert_eq!(domain(text, "m.owner"), cells(&[0, 1], Domain::Numbers(vec![0, 1, 2, 3])));
    assert_eq!(domain(text, "all"), Domain::Any, "it is used as a whole");
}

#[test]
fn what_is_copied_before_it_is_assigned_is_the_same_everywhere() {
    let never = "var x, y: int;
        procedure T() modifies y; { y := x; }
        procedure main() modifies y; { y := 17; async call T(); }";
    assert_eq!(
        domain(never, "x"),
        Domain::Numbers(vec![17]),
        "a lasso may find the one in the place of the other"
    );
    assert_eq!(domain(never, "y"), Domain::Numbers(vec![17]));
    let through_a_local = "var x, y: int;
        procedure T() modifies x, y; { var l: int; x := l; y := x; }
        procedure main() modifies x, y; { x := 3; y := 4; async call T(); }";
    assert_eq!(domain(through_a_local, "x"), Domain::Numbers(vec![3, 4]));
    assert_eq!(domain(through_a_local, "y"), Domain::Numbers(vec![3, 4]));
}
