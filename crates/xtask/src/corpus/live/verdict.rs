//! Compares what raddle says of a program, without and with fairness, with what Ultimate expects.

use super::ultimate::{Expected, Subject};
use crate::corpus::judgement::Judgement;
use crate::live::{Search, Verdict};

/// The two searches of a program.
pub(super) struct Ours {
    /// For any infinite execution.
    pub(super) any: Search,
    /// For those that are strongly fair.
    pub(super) fair: Search,
}

impl Ours {
    /// An infinite execution in a program that terminates is a disagreement, however fair it is. So is none in a program
    /// that does not terminate, unless it is known why none can be found.
    pub(super) fn judge(&self, subject: &Subject) -> Judgement {
        let is_found = |search: &Search| search.verdict == Verdict::NonTerminating;
        let found = [&self.any, &self.fair].into_iter().find(|search| is_found(search));
        match (&self.any.verdict, subject.expected, found) {
            (_, Expected::Terminating, Some(search)) => doubt(search),
            // What is fair is an infinite execution too, so it was missed.
            (Verdict::NoneWithinBounds, Expected::NonTerminating, Some(_)) => Judgement::Disagrees,
            (Verdict::Unknown(why) | Verdict::Refused(why), _, None) => Judgement::Beyond(why.clone()),
            (_, Expected::NonTerminating, Some(_)) | (_, Expected::Terminating, None) => Judgement::Agrees,
            (_, Expected::NonTerminating, None) => match subject.grows {
                Some(what) => Judgement::Beyond(format!("no state repeats: {what}")),
                None => doubt(&self.any),
            },
        }
    }
}

/// A disagreement, unless raddle warns that it may be wrong.
fn doubt(search: &Search) -> Judgement {
    search.warning.clone().map_or(Judgement::Disagrees, Judgement::Beyond)
}

/// A verdict with the rounds of stem and lasso in which an execution was found.
pub(super) fn shown(search: &Search) -> String {
    let verdict = search.verdict.shown();
    match (&search.verdict, search.rounds) {
        (Verdict::NonTerminating, Some((stem, lasso))) => format!("{verdict} ({stem} + {lasso})"),
        _ => verdict.to_owned(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::path::PathBuf;

    pub(in crate::corpus::live) fn search(what: &str) -> Search {
        let verdict = match what {
            "found" => Verdict::NonTerminating,
            "none" => Verdict::NoneWithinBounds,
            why => Verdict::Unknown(why.to_owned()),
        };
        Search { verdict, rounds: Some((1, 2)), queries: 1, seconds: 1.0, peak_memory: None, warning: None }
    }

    fn judge(expected: Expected, any: &str, fair: &str) -> Judgement {
        let subject = Subject { name: String::new(), path: PathBuf::new(), expected, grows: None };
        Ours { any: search(any), fair: search(fair) }.judge(&subject)
    }

    #[test]
    fn what_is_found_counts_however_fair_it_is() {
        for (any, fair) in [("found", "found"), ("found", "none"), ("late", "found")] {
            assert_eq!(judge(Expected::NonTerminating, any, fair), Judgement::Agrees);
            assert_eq!(judge(Expected::Terminating, any, fair), Judgement::Disagrees);
        }
        assert_eq!(judge(Expected::NonTerminating, "none", "found"), Judgement::Disagrees);
    }

    #[test]
    fn what_is_not_found_needs_a_reason() {
        assert_eq!(judge(Expected::Terminating, "none", "none"), Judgement::Agrees);
        assert_eq!(judge(Expected::NonTerminating, "none", "none"), Judgement::Disagrees);
        assert_eq!(judge(Expected::Terminating, "late", "none"), Judgement::Beyond("late".to_owned()));
        let beyond = |grows, warning: Option<&str>| {
            let expected = Expected::NonTerminating;
            let subject = Subject { name: String::new(), path: PathBuf::new(), expected, grows };
            let any = Search { warning: warning.map(str::to_owned), ..search("none") };
            Ours { any, fair: search("none") }.judge(&subject)
        };
        assert_eq!(beyond(Some("x grows"), None), Judgement::Beyond("no state repeats: x grows".to_owned()));
        assert_eq!(beyond(None, Some("may be missed")), Judgement::Beyond("may be missed".to_owned()));
    }
}
