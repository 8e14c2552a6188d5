//! Names as SMT-LIB 2 writes them: unique in their pool, quoted where needed, never the name of something built in.

use rustc_hash::FxHashSet;

/// Symbols with a meaning of their own: reserved words, and the theory symbols of the common solvers.
const TAKEN: &str = "\
    BINARY DECIMAL HEXADECIMAL NUMERAL STRING _ ! as let exists forall match par lambda true false not \
    => and or xor = distinct ite if iff implies Bool Int Real Array BitVec String Seq RegLan \
    RoundingMode Set Char FiniteSet Complex List Pair Tuple - + * / div mod rem abs < <= > >= ^ ** \
    divisible to_real to_int is_int select store const map default as-array concat extract repeat \
    sign_extend zero_extend rotate_left rotate_right nil cons insert head tail first second mk-pair \
    union intersection setminus subset member emptyset singleton complement card exp sin cos tan pi \
    sqrt int2bv bv2nat bv2int nat2bv int_to_bv ubv_to_int sbv_to_int is update tuple pow2 root";
/// Families of theory symbols.
const TAKEN_PREFIXES: &[&str] =
    &["bv", "str.", "re.", "seq.", "fp.", "set.", "bag.", "rel.", "array-", "int.", "_"];

/// The names in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    used: FxHashSet<String>,
}

impl Names {
    /// A name like the wanted one that nobody has yet, ready to be printed.
    pub(crate) fn claim(&mut self, wanted: &str) -> String {
        let clean: String =
            wanted.chars().map(|c| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c }).collect();
        let taken = clean.is_empty()
            || clean.starts_with(['@', '.', '?'])
            || TAKEN.split(' ').any(|taken| taken == clean)
            || TAKEN_PREFIXES.iter().any(|prefix| clean.starts_with(prefix));
        let base = if taken { format!("user!{clean}") } else { clean };
        let mut name = base.clone();
        let mut count = 1;
        while self.used.contains(&name) {
            count += 1;
            name = format!("{base}!{count}");
        }
        self.used.insert(name.clone());
        quoted(&name)
    }
}

/// The name with bars around it if it is not a simple symbol.
fn quoted(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c))
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if simple { name.to_owned() } else { format!("|{name}|") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_quoted_and_not_built_in() {
        let mut names = Names::default();
        assert_eq!(names.claim("x"), "x");
        assert_eq!(names.claim("x"), "x!2");
        assert_eq!(names.claim("a b"), "|a b|");
        assert_eq!(names.claim("a|b"), "a_b");
        assert_eq!(names.claim("and"), "user!and");
        assert_eq!(names.claim("1x"), "|1x|");
        assert_eq!(names.claim(""), "user!");
    }
}
