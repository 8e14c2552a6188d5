//! Files that went through the preprocessor already.
//!
//! Their line marks name the files that they were made of, which need not be there any more, or not in the same state. The
//! user gave this file, so lines are those of this file: clang gets a copy without the marks.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Whether the name of a file says that it went through the preprocessor.
pub(super) fn is(file: &Path) -> bool {
    matches!(file.extension().and_then(OsStr::to_str), Some("i" | "ii"))
}

/// Makes the copy, and returns its path. What clang says about the copy, it says under the name of the original.
pub(super) fn copy(file: &Path, folder: Option<&Path>, into: &Path) -> io::Result<PathBuf> {
    let text = std::fs::read(folder.map_or_else(|| file.to_path_buf(), |folder| folder.join(file)))?;
    // Several files may have the same name; each is compiled before the next.
    let copy = into.join("preprocessed").with_extension(file.extension().unwrap_or_default());
    std::fs::write(&copy, unmarked(&text, &file.to_string_lossy()))?;
    Ok(copy)
}

/// The text under another name, with empty lines for line marks.
fn unmarked(text: &[u8], name: &str) -> Vec<u8> {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut result = format!("# 1 \"{name}\"\n").into_bytes();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if is_mark(line) { result.push(b'\n') } else { result.extend_from_slice(line) }
    }
    result
}

/// `# 12 "file.c" 1 3` or `#line 12 "file.c"`.
fn is_mark(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    rest.first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_empty_lines() {
        let text = b"# 1 \"a.c\" 1 3\nint x;\n#pragma once\n  #line 7\nint y;";
        let expected = "# 1 \"d/\\\"p.i\"\n\nint x;\n#pragma once\n\nint y;";
        assert_eq!(String::from_utf8(unmarked(text, "d/\"p.i")).unwrap(), expected);
    }
}
