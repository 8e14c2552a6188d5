//! Runs that are too long for a page lose their middle. What it changed is kept, so that values after it are right.

use serde_json::{Map, Value};

/// A run with more steps loses its middle.
const MOST_STEPS: usize = 50_000;
/// So many steps are kept at its start.
const FIRST_STEPS: usize = 10_000;

/// Shortens the runs of all violations of a result.
pub(super) fn shorten(result: &mut Value) {
    shorten_to(result, MOST_STEPS, FIRST_STEPS);
}

fn shorten_to(result: &mut Value, most: usize, first: usize) {
    for list in ["violations", "suspicions"] {
        let violations = result.get_mut(list).and_then(Value::as_array_mut);
        for violation in violations.into_iter().flatten().filter_map(Value::as_object_mut) {
            shorten_run(violation, most, first);
        }
    }
}

fn shorten_run(violation: &mut Map<String, Value>, most: usize, first: usize) {
    let Some(steps) = violation.get_mut("steps").and_then(Value::as_array_mut) else { return };
    if steps.len() <= most {
        return;
    }
    let left_out = steps.len() - most;
    let gap = gap(&steps[first..first + left_out]);
    steps.splice(first..first + left_out, [gap]);
    // The gap is one step now.
    let moved = |step: usize| match step {
        _ if step < first => step,
        _ if step < first + left_out => first,
        _ => step - left_out + 1,
    };
    let moved = |step: &mut Value| {
        if let Some(at) = step.as_u64().and_then(|at| usize::try_from(at).ok()) {
            *step = Value::from(moved(at));
        }
    };
    violation.get_mut("lasso_start").into_iter().for_each(moved);
    let accesses = violation.get_mut("accesses").and_then(Value::as_array_mut);
    accesses.into_iter().flatten().filter_map(|access| access.get_mut("step")).for_each(moved);
}

/// What stands for steps that are left out: how many there are, and what they leave behind.
fn gap(steps: &[Value]) -> Value {
    let mut values = Map::new();
    let mut locals: Map<String, Value> = Map::new();
    for step in steps {
        let thread = step.get("thread").and_then(Value::as_str).unwrap_or_default();
        let names = step.get("locals").and_then(Value::as_array);
        let is_local = |name: &str| names.is_some_and(|names| names.iter().any(|local| local == name));
        for (name, value) in step.get("values").and_then(Value::as_object).into_iter().flatten() {
            if is_local(name) {
                let of = locals.entry(thread.to_owned()).or_insert_with(|| Value::Object(Map::new()));
                of.as_object_mut().map(|of| of.insert(name.clone(), value.clone()));
            } else {
                values.insert(name.clone(), value.clone());
            }
        }
    }
    let thread = steps.last().and_then(|step| step.get("thread")).cloned().unwrap_or_default();
    serde_json::json!({
        "thread": thread, "left_out": steps.len(), "values": values, "values_of": locals,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_run_becomes_one_step() {
        let step = |n: usize| {
            serde_json::json!({
                "thread": if n.is_multiple_of(2) { "a" } else { "b" },
                "values": {"g": n.to_string(), "i": n.to_string()},
                "locals": ["i"],
            })
        };
        let steps: Vec<Value> = (0..10).map(step).collect();
        let mut result = serde_json::json!({
            "violations": [{"steps": steps, "lasso_start": 9, "accesses": [{"step": 1}, {"step": 4}, {"step": null}]}],
        });
        shorten_to(&mut result, 5, 2);
        let violation = &result["violations"][0];
        let steps = violation["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 6);
        assert_eq!(steps[1]["values"]["g"], "1");
        assert_eq!(steps[2]["left_out"], 5);
        assert_eq!(steps[2]["values"], serde_json::json!({"g": "6"}));
        assert_eq!(steps[2]["values_of"], serde_json::json!({"a": {"i": "6"}, "b": {"i": "5"}}));
        assert_eq!(steps[3]["values"]["g"], "7");
        assert_eq!(violation["lasso_start"], 5);
        assert_eq!(violation["accesses"], serde_json::json!([{"step": 1}, {"step": 2}, {"step": null}]));
    }
}
