//! Which flags of clang do no harm.
//!
//! A witness holds the flags that its program was compiled with. Some make clang run other programs or load code; a
//! witness that somebody else made must not be able to do that.

/// Flags that say what the program is, by how they begin.
const HARMLESS: &[&str] =
    &["-I", "-D", "-U", "-std=", "-W", "-m", "-O", "-fno-", "-isystem", "-iquote", "-idirafter", "-include"];

/// Flags among those that are harmful after all: options of other tools.
const HARMFUL: &[&str] = &["-Wl,", "-Wa,", "-Wp,", "-mllvm"];

/// Flags that are known as a whole.
const KNOWN: &[&str] = &[
    "-ansi",
    "-fchar8_t",
    "-fcoroutines",
    "-fexceptions",
    "-fgnu89-inline",
    "-fms-extensions",
    "-frtti",
    "-fshort-enums",
    "-fsigned-char",
    "-funsigned-char",
    "-fwrapv",
    "-g",
    "-pedantic",
    "-pthread",
    "-w",
];

/// Flags that are followed by a value of their own.
const WITH_VALUE: &[&str] = &["-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include"];

/// Whether a flag says for which machine and library code is made, so that all parts of a program must agree on it.
pub(super) fn chooses_machine(flag: &str) -> bool {
    let begins = |with: &[&str]| with.iter().any(|start| flag.starts_with(start));
    begins(&["-m", "--target=", "-stdlib=", "--sysroot=", "--gcc-"]) && !begins(HARMFUL)
}

/// The flags that matter after a program was read: how it is optimised and linked, and for which machine.
pub(super) fn for_linking(flags: &[String]) -> impl Iterator<Item = &String> {
    let begins = |flag: &str| {
        ["-O", "-g", "-l", "-L", "-Wl,", "-fsanitize"].iter().any(|start| flag.starts_with(start))
    };
    flags.iter().filter(move |flag| begins(flag) || chooses_machine(flag))
}

/// The first flag that may do more than say what the program is.
#[must_use]
pub fn dangerous_flag(flags: &[String]) -> Option<&str> {
    let mut flags = flags.iter().map(String::as_str);
    while let Some(flag) = flags.next() {
        let begins = |with: &[&str]| with.iter().any(|start| flag.starts_with(start));
        if begins(HARMFUL) || !(begins(HARMLESS) || KNOWN.contains(&flag)) {
            return Some(flag);
        }
        if WITH_VALUE.contains(&flag) {
            flags.next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn danger(flags: &str) -> Option<String> {
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        dangerous_flag(&flags).map(str::to_owned)
    }

    #[test]
    fn flags_that_load_code_are_found() {
        assert_eq!(danger("-Iinclude -DN=2 -std=c11 -isystem x -Wall -m32 -fno-exceptions -w"), None);
        for flag in
            ["-fplugin=x.so", "-Wl,x", "-mllvm", "-Xclang", "-B/tmp", "x.c", "@file", "-o", "-specs=x"]
        {
            assert_eq!(danger(&format!("-DN {flag}")).as_deref(), Some(flag));
        }
    }
}
