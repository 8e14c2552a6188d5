//! The witness: everything that is needed to see a violation again, as a versioned JSON file.
//!
//! A witness names the program by path and content, holds the options that shape its runs, the violation it
//! claims, and the run itself: the thread of each step and every value chosen. Reading is strict: what this version
//! does not know is refused, so that a witness never means something else than it says.

mod fields;

use interp::{Checks, Config, Fairness, IntRange, Limits, Run, Scheduler, SwitchAt, ViolationKind};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use source::{SourceMap, Span};

use crate::{Atomicity, Claim, Finding};
use fields::{
    LimitsField, RunField, SchedulerField, fairness, fairness_name, kind, switch_at, switch_at_name,
};

/// The format and its version.
pub const SCHEMA: &str = "raddle-witness/1";

/// Larger files are not read: a run of millions of steps is smaller.
pub const MOST_BYTES: u64 = 256 << 20;

/// The program that a witness is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its path, relative to the folder of the witness where possible.
    pub file: String,
    /// The fingerprint of its content (see [`fingerprint`]).
    pub sha256: String,
    /// How it is compiled, if it is C or C++.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiled: Option<Compiled>,
}

/// How a program in C or C++ is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiled {
    /// Where the compiler ran, relative to the folder of the witness where possible.
    pub folder: String,
    /// All files, as they were named there.
    pub files: Vec<CompiledFile>,
    /// What the compiler was told.
    pub flags: Vec<String>,
    /// Whether a wait on a condition variable may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether freed memory is given out again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reuse: bool,
    /// Whether what is marked as atomic is only marked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transactions: bool,
    /// What the program is called with, besides its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// A file of a program in C or C++.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompiledFile {
    /// Its path.
    pub file: String,
    /// The fingerprint of its content.
    pub sha256: String,
}

/// A place in a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The violation that a witness claims to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The least fairness of an infinite execution.
    pub fairness: Fairness,
    /// In words.
    pub message: String,
    /// Where.
    pub location: Option<Location>,
    /// The accesses of a violation of atomicity.
    pub atomicity: Option<Atomicity>,
}

impl Claimed {
    /// The claim that a replay has to confirm.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { kind: self.kind, fairness: self.fairness, at: None }
    }
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Who wrote it.
    pub producer: String,
    /// The program.
    pub input: Input,
    /// The entry procedure, if one was named.
    pub entry: Option<String>,
    /// Who decides which thread runs.
    pub scheduler: Scheduler,
    /// Where threads can be switched.
    pub switch_at: SwitchAt,
    /// What arbitrary integers are chosen from.
    pub int_range: IntRange,
    /// Bounds on states.
    pub limits: Limits,
    /// The response property that was looked for, as it was written. It has a part in the choices of the run.
    pub responds: Option<String>,
    /// What it shows.
    pub violation: Claimed,
    /// The run that shows it.
    pub run: Run,
}

/// Why a witness cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessError {
    /// It is larger than [`MOST_BYTES`].
    TooLarge(u64),
    /// It is not JSON.
    NotJson(String),
    /// It is JSON, but not a witness.
    NotWitness,
    /// It is a witness of a version that is not known here.
    Version(String),
    /// A field is missing, has a wrong type or an impossible value.
    Field(String),
}

impl std::fmt::Display for WitnessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WitnessError::TooLarge(bytes) => {
                write!(f, "has {bytes} bytes; witnesses of more than {MOST_BYTES} bytes are not read")
            }
            WitnessError::NotJson(error) => write!(f, "is not a witness: not JSON: {error}"),
            WitnessError::NotWitness => {
                write!(f, "is not a witness: it has no field \"schema\" with the value \"{SCHEMA}\"")
            }
            WitnessError::Version(found) => {
                write!(f, "has the schema \"{found}\"; this version of raddle reads \"{SCHEMA}\"")
            }
            WitnessError::Field(error) => write!(f, "is a damaged witness: {error}"),
        }
    }
}

impl std::error::Error for WitnessError {}

impl Witness {
    /// The witness of a finding.
    #[must_use]
    pub fn new(
        producer: String,
        input: Input,
        entry: Option<String>,
        config: &Config,
        finding: &Finding,
        map: &SourceMap,
    ) -> Self {
        Witness {
            producer,
            input,
            entry,
            scheduler: config.scheduler,
            switch_at: config.switch_at,
            int_range: config.int_range,
            limits: config.limits,
            responds: None,
            violation: Claimed {
                kind: finding.kind(),
                fairness: config.checks.non_termination.unwrap_or(Fairness::None),
                message: finding.message().to_owned(),
                location: location_of(map, finding.access().span),
                atomicity: finding.atomicity().cloned(),
            },
            run: finding.run().clone(),
        }
    }

    /// The configuration to replay it under; `response` is [`Witness::responds`] as the program's expressions.
    #[must_use]
    pub fn config(&self, response: Option<ir::Response>) -> Config {
        Config {
            scheduler: self.scheduler,
            switch_at: self.switch_at,
            int_range: self.int_range,
            limits: self.limits,
            checks: Checks { response, ..Checks::default() },
            ..Config::default()
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let violation = ViolationField {
            kind: self.violation.kind.name().to_owned(),
            fairness: (self.violation.kind == ViolationKind::NonTermination)
                .then(|| fairness_name(self.violation.fairness).to_owned()),
            message: self.violation.message.clone(),
            location: self.violation.location.clone(),
            accesses: self.violation.atomicity.as_ref().map(|atomicity| atomicity.steps),
            block: self.violation.atomicity.as_ref().map(|atomicity| atomicity.block.clone()),
        };
        let file = WitnessFile {
            schema: SCHEMA.to_owned(),
            producer: self.producer.clone(),
            input: self.input.clone(),
            entry: self.entry.clone(),
            scheduler: SchedulerField::of(self.scheduler),
            switch_at: switch_at_name(self.switch_at).to_owned(),
            int_range: [self.int_range.low(), self.int_range.high()],
            limits: LimitsField { threads: self.limits.threads, frames: self.limits.frames },
            responds: self.responds.clone(),
            violation,
            run: RunField::of(&self.run),
        };
        // Strings, numbers and lists of them: there is nothing in it that JSON cannot say.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is anything but a complete witness of this version.
    pub fn parse(text: &[u8]) -> Result<Self, WitnessError> {
        if text.len() as u64 > MOST_BYTES {
            return Err(WitnessError::TooLarge(text.len() as u64));
        }
        let header: Header = match serde_json::from_slice(text) {
            Ok(header) => header,
            Err(error) if error.is_data() => return Err(WitnessError::NotWitness),
            Err(error) => return Err(WitnessError::NotJson(error.to_string())),
        };
        if header.schema != SCHEMA {
            let is_witness = header.schema.starts_with("raddle-witness/");
            return Err(if is_witness {
                WitnessError::Version(header.schema)
            } else {
                WitnessError::NotWitness
            });
        }
        let file: WitnessFile =
            serde_json::from_slice(text).map_err(|error| WitnessError::Field(error.to_string()))?;
        file.check().map_err(WitnessError::Field)
    }
}

/// The fingerprint of a file's content: its SHA-256 in hexadecimal, as `sha256sum` prints it.
#[must_use]
pub fn fingerprint(content: &[u8]) -> String {
    fingerprint_bytes(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The same as bytes.
#[must_use]
pub fn fingerprint_bytes(content: &[u8]) -> [u8; 32] {
    Sha256::digest(content).into()
}

/// Where a span starts.
#[must_use]
pub fn location_of(map: &SourceMap, span: Span) -> Option<Location> {
    let position = map.position(span)?;
    let file = map.file_of(span)?.name().to_owned();
    Some(Location { file, line: position.line, column: position.column })
}

/// The one field that every version has.
#[derive(Deserialize)]
struct Header {
    schema: String,
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WitnessFile {
    schema: String,
    producer: String,
    input: Input,
    entry: Option<String>,
    scheduler: SchedulerField,
    switch_at: String,
    int_range: [i64; 2],
    limits: LimitsField,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    responds: Option<String>,
    violation: ViolationField,
    run: RunField,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ViolationField {
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<String>,
    message: String,
    location: Option<Location>,
    /// The steps of the accesses of a violation of atomicity, and the block that they are in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accesses: Option<[usize; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<String>,
}

impl WitnessFile {
    /// The witness, if every value is possible.
    fn check(self) -> Result<Witness, String> {
        let [low, high] = self.int_range;
        let int_range = IntRange::new(low, high)
            .ok_or_else(|| format!("\"int_range\" is {low}..{high}, which is empty or too large"))?;
        let kind = kind(&self.violation.kind)?;
        let run = self.run.check()?;
        if (kind == ViolationKind::NonTermination) != run.lasso_start.is_some() {
            return Err("a run has a \"lasso_start\" if, and only if, it shows non-termination".to_owned());
        }
        let atomicity = match (kind, self.violation.accesses, self.violation.block) {
            (ViolationKind::Atomicity, Some(steps), Some(block)) => Some(Atomicity { steps, block }),
            (ViolationKind::Atomicity, ..) | (_, Some(_), _) | (_, _, Some(_)) => {
                let text = "a violation has \"accesses\" and a \"block\" if, and only if, it is of atomicity";
                return Err(text.to_owned());
            }
            _ => None,
        };
        Ok(Witness {
            producer: self.producer,
            input: self.input,
            entry: self.entry,
            scheduler: self.scheduler.check()?,
            switch_at: switch_at(&self.switch_at)?,
            int_range,
            limits: self.limits.check()?,
            responds: self.responds,
            violation: Claimed {
                kind,
                fairness: self.violation.fairness.as_deref().map_or(Ok(Fairness::None), fairness)?,
                message: self.violation.message,
                location: self.violation.location,
                atomicity,
            },
            run,
        })
    }
}

#[cfg(test)]
mod tests;
