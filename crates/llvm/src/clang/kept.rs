//! Modules of our own library functions, kept from one run to the next.
//!
//! They are the same for every program, and those in C++ take clang about a second each. So they are kept in the user's
//! folder for such files. A name says what a module was made of, but for the headers: the file lists those, with size and time, and
//! is of use only while they are as they were. If anything is wrong with a file, or the folder cannot be used, clang is asked again.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

/// Files that are older are deleted when another is written: they may be of an older version.
const OLD: Duration = Duration::from_hours(60 * 24);

/// The first line after the digest; lines about headers follow, then an empty one, then the module.
const FIRST: &str = "made of";

/// How long the digest is that a file begins with.
const DIGEST: usize = 32;

/// Where a module is kept.
pub(super) struct Kept {
    folder: PathBuf,
    name: String,
}

/// The user's folder for files that are kept from one run to the next, if there is one.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("raddle"))
}

impl Kept {
    /// The place of what is made of `parts`, if there is a folder for it.
    pub(super) fn of(parts: &[&OsStr]) -> Option<Kept> {
        // Where else clang looks for headers.
        let places = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"]
            .map(|name| std::env::var_os(name).unwrap_or_default());
        let all = parts.iter().copied().chain(places.iter().map(OsString::as_os_str));
        Some(Kept::within(&folder()?, all))
    }

    fn within<'a>(folder: &Path, parts: impl Iterator<Item = &'a OsStr>) -> Kept {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update(part.len().to_le_bytes());
            digest.update(part.as_encoded_bytes());
        }
        let mut name = String::new();
        for byte in digest.finalize() {
            // A string takes everything.
            let _ = write!(name, "{byte:02x}");
        }
        name.push_str(".bc");
        Kept { folder: folder.to_path_buf(), name }
    }

    /// The module, if it is there and what it was made of is as it was.
    pub(super) fn get(&self) -> Option<Vec<u8>> {
        let mut bytes = std::fs::read(self.folder.join(&self.name)).ok()?;
        let (digest, rest) = bytes.split_at_checked(DIGEST)?;
        if Sha256::digest(rest).as_slice() != digest {
            return None;
        }
        let end = rest.windows(2).position(|two| two == b"\n\n")? + 1;
        let text = std::str::from_utf8(&rest[..end]).ok()?.strip_prefix(FIRST)?;
        let mut headers = text.split('\n').filter(|line| !line.is_empty());
        let as_it_was = |line: &str| {
            let path = line.split_once('\t').map(|(_, path)| path);
            path.and_then(state).is_some_and(|now| now.strip_prefix('\n') == Some(line))
        };
        if !headers.all(as_it_was) {
            return None;
        }
        Some(bytes.split_off(DIGEST + end + 1))
    }

    /// Keeps a module that was made of some headers, if that is possible. If not, it is made again the next time.
    pub(super) fn put(&self, module: &[u8], headers: &[String]) {
        let mut text = String::from(FIRST);
        for header in headers {
            let Some(state) = state(header) else { return };
            text.push_str(&state);
        }
        text.push_str("\n\n");
        let rest = [text.as_bytes(), module].concat();
        let written = std::fs::create_dir_all(&self.folder).and_then(|()| {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            file.write_all(&Sha256::digest(&rest))?;
            file.write_all(&rest)?;
            file.persist(self.folder.join(&self.name))?;
            Ok(())
        });
        if written.is_ok() {
            delete_old(&self.folder);
        }
    }
}

/// What is remembered of a header, on a line of its own.
fn state(path: &str) -> Option<String> {
    let meta = std::fs::metadata(path).ok()?;
    let time = meta.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(format!("\n{} {}\t{path}", meta.len(), time.as_nanos()))
}

fn delete_old(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > OLD) {
            // If it cannot be deleted, it stays.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The headers in a rule for `make` that clang has written, if all have names that can be kept.
pub(super) fn headers(rule: &str) -> Option<Vec<String>> {
    let (_, list) = rule.split_once(": ")?;
    let odd = |name: &str| name.contains(['\\', '$', '#']);
    let list = list.replace("\\\n", " ");
    let names: Vec<String> = list.split_whitespace().skip(1).map(str::to_owned).collect();
    (!names.iter().any(|name| odd(name))).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &Path, part: &str) -> Kept {
        Kept::within(folder, [OsStr::new(part)].into_iter())
    }

    #[test]
    fn a_module_is_kept_while_its_headers_are_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let header = folder.path().join("a header.h");
        std::fs::write(&header, "int x;").unwrap();
        let headers = [header.display().to_string()];
        let cache = folder.path().join("cache");
        let here = kept(&cache, "one");
        assert_eq!(here.get(), None);
        here.put(b"BC\n\nmodule", &headers);
        assert_eq!(here.get().as_deref(), Some(b"BC\n\nmodule".as_slice()));
        assert_eq!(kept(&cache, "another").get(), None);
        std::fs::write(&header, "int xy;").unwrap();
        assert_eq!(here.get(), None);
        here.put(b"new", &headers);
        assert_eq!(here.get().as_deref(), Some(b"new".as_slice()));
        std::fs::remove_file(&header).unwrap();
        assert_eq!(here.get(), None);
    }

    #[test]
    fn a_module_without_headers_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let here = kept(folder.path(), "one");
        here.put(b"\n\nmodule", &[]);
        assert_eq!(here.get().as_deref(), Some(b"\n\nmodule".as_slice()));
    }

    #[test]
    fn damaged_files_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let here = kept(folder.path(), "one");
        here.put(b"module", &[]);
        let path = folder.path().join(&here.name);
        let good = std::fs::read(&path).unwrap();
        for length in 0..good.len() {
            std::fs::write(&path, &good[..length]).unwrap();
            assert_eq!(here.get(), None, "{length}");
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(&path, bad).unwrap();
            assert_eq!(here.get(), None, "{at}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let here = kept(&file, "one");
        here.put(b"module", &[]);
        assert_eq!(here.get(), None);
    }

    #[test]
    fn rules_are_read() {
        let rule = "out.bc: <raddle>/x.c /usr/include/a.h \\\n  /usr/include/b.h\n";
        assert_eq!(headers(rule).unwrap(), ["/usr/include/a.h", "/usr/include/b.h"]);
        assert_eq!(headers("out.bc: x.c\n").unwrap(), [] as [String; 0]);
        assert_eq!(headers("out.bc: x.c /a\\ b.h\n"), None);
    }
}
