//! How what raddle says compares with what was expected.

/// The comparison for one program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Agrees,
    Disagrees,
    /// Beyond what raddle can do.
    Beyond(String),
    Incomparable,
}

impl Judgement {
    pub(super) fn shown(&self) -> String {
        match self {
            Judgement::Agrees => "agrees".to_owned(),
            Judgement::Disagrees => "**disagrees**".to_owned(),
            Judgement::Beyond(why) => format!("beyond: {}", why.replace('|', "\\|")),
            Judgement::Incomparable => "-".to_owned(),
        }
    }
}

/// How many programs there are of each sort, as a sentence.
pub(super) fn summary(judgements: &[Judgement]) -> String {
    let count =
        |wanted: fn(&Judgement) -> bool| judgements.iter().filter(|judgement| wanted(judgement)).count();
    format!(
        "{} programs: {} agree, {} disagree, {} are beyond what Raddle can do, {} have no expected verdict.",
        judgements.len(),
        count(|judgement| matches!(judgement, Judgement::Agrees)),
        count(|judgement| matches!(judgement, Judgement::Disagrees)),
        count(|judgement| matches!(judgement, Judgement::Beyond(_))),
        count(|judgement| matches!(judgement, Judgement::Incomparable)),
    )
}
