//! What C's `printf`, `puts` and `putchar` print for given arguments.
//!
//! Of the conversions only those for integers, characters and texts, without flags, widths and precisions. A value is the
//! low bits of its word: how a caller has extended it does not matter.

use llvm::OutputSite;

/// How many values a call records.
pub(super) fn argument_count(site: &OutputSite) -> usize {
    match site.function.as_str() {
        "putchar" => 1,
        "puts" => 0,
        _ => site.texts.len(),
    }
}

/// Appends what a call prints.
pub(super) fn print(site: &OutputSite, values: &[u64], out: &mut Vec<u8>) -> Result<(), String> {
    match site.function.as_str() {
        "putchar" => out.extend(values.first().map(|value| low_byte(*value))),
        "puts" => {
            out.extend_from_slice(&site.format);
            out.push(b'\n');
        }
        "printf" => formatted(site, values, out)?,
        other => return Err(format!("nothing is known about the output of `{other}`")),
    }
    Ok(())
}

fn formatted(site: &OutputSite, values: &[u64], out: &mut Vec<u8>) -> Result<(), String> {
    let shown = String::from_utf8_lossy(&site.format);
    let mut rest = site.format.as_slice();
    let mut next = 0;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        if let Some(after) = rest.strip_prefix(b"%") {
            out.push(b'%');
            rest = after;
            continue;
        }
        let (bits, after) = length(rest);
        let Some((&conversion, after)) = after.split_first() else {
            return Err(format!("the format `{shown}` ends in a conversion"));
        };
        rest = after;
        let value = *values.get(next).ok_or_else(|| format!("the format `{shown}` wants more values"))?;
        match conversion {
            b'd' | b'i' => out.extend(signed(value, bits).to_string().bytes()),
            b'u' => out.extend(unsigned(value, bits).to_string().bytes()),
            b'x' => out.extend(format!("{:x}", unsigned(value, bits)).bytes()),
            b'X' => out.extend(format!("{:X}", unsigned(value, bits)).bytes()),
            b'c' => out.push(low_byte(value)),
            b's' => match site.texts.get(next) {
                Some(Some(text)) => out.extend_from_slice(text),
                _ => return Err(format!("the format `{shown}` prints a text that is not constant")),
            },
            other => return Err(format!("the conversion `{}` in `{shown}` is unknown", char::from(other))),
        }
        next += 1;
    }
    Ok(())
}

/// The bits of the type that a length modifier stands for, and what follows it.
fn length(format: &[u8]) -> (u32, &[u8]) {
    let modifiers: [(&[u8], u32); 7] =
        [(b"hh", 8), (b"h", 16), (b"ll", 64), (b"l", 64), (b"z", 64), (b"j", 64), (b"t", 64)];
    let found = modifiers.into_iter().find_map(|(text, bits)| Some((bits, format.strip_prefix(text)?)));
    found.unwrap_or((32, format))
}

fn unsigned(value: u64, bits: u32) -> u64 {
    value & (u64::MAX >> (64 - bits))
}

fn signed(value: u64, bits: u32) -> i64 {
    value.cast_signed() << (64 - bits) >> (64 - bits)
}

fn low_byte(value: u64) -> u8 {
    value.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(function: &str, format: &str, texts: &[Option<&str>]) -> OutputSite {
        let texts = texts.iter().map(|text| text.map(|text| text.as_bytes().to_vec())).collect();
        OutputSite { function: function.to_owned(), format: format.as_bytes().to_vec(), texts }
    }

    fn printed(format: &str, texts: &[Option<&str>], values: &[u64]) -> Result<String, String> {
        let mut out = Vec::new();
        print(&site("printf", format, texts), values, &mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn values_have_the_width_of_their_conversion() {
        let minus = u64::MAX;
        assert_eq!(printed("%d %u|", &[None; 2], &[0xffff_ffff, minus]).unwrap(), "-1 4294967295|");
        assert_eq!(printed("%ld %lu", &[None; 2], &[minus, minus]).unwrap(), "-1 18446744073709551615");
        assert_eq!(printed("%lld %llu", &[None; 2], &[1 << 63, 7]).unwrap(), "-9223372036854775808 7");
        assert_eq!(printed("%hd %hhd %zu", &[None; 3], &[0xfffe, 0x180, 9]).unwrap(), "-2 -128 9");
        assert_eq!(printed("%X %lx%%", &[None; 2], &[minus, minus]).unwrap(), "FFFFFFFF ffffffffffffffff%");
    }

    #[test]
    fn characters_and_texts() {
        assert_eq!(printed("%c%s.", &[None, Some("text")], &[65, 1234]).unwrap(), "Atext.");
        let mut out = Vec::new();
        print(&site("putchar", "", &[None]), &[0x141], &mut out).unwrap();
        print(&site("puts", "line", &[]), &[], &mut out).unwrap();
        assert_eq!(out, b"Aline\n");
    }

    #[test]
    fn what_cannot_be_printed_is_an_error() {
        assert!(printed("%s", &[None], &[5]).is_err());
        assert!(printed("%f", &[None], &[5]).is_err());
        assert!(printed("%d %d", &[None], &[5]).is_err());
        assert!(printed("%l", &[None], &[5]).is_err());
    }
}
