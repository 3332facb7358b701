//! Changes of a credentials file that leave the rest of it as it is, comments and all.
//!
//! A file is replaced as a whole: a server that reads it at any moment reads the old one or the new
//! one. Two that change it at the same time wait for each other.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;

use super::{Credentials, content, read_secret};
use crate::error::FileError;
use crate::new_key::NewKey;

const HEADER: &str = "\
# Keys of a Monotable server. It reads this file again when it changes.
# Nobody else may open it: chmod 600
";

/// Adds a key at the end of a file, which is made if there is none.
pub fn add_key(path: &Path, key: &NewKey) -> Result<(), FileError> {
    change(path, |text| {
        let text = text.unwrap_or(HEADER);
        let gap = if text.is_empty() || text.ends_with("\n\n") { "" } else { "\n" };
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        Ok(format!("{text}{end}{gap}{}", block_of(key)))
    })
}

/// Takes a key out of a file.
pub fn remove_key(path: &Path, access_key_id: &str) -> Result<(), FileError> {
    change(path, |text| {
        let text = text.ok_or_else(|| FileError::io(path, ErrorKind::NotFound.into()))?;
        let before = content::parse(text, path)?;
        if before.find(access_key_id).is_none() {
            let (path, access_key_id) = (path.to_owned(), access_key_id.to_owned());
            return Err(FileError::NoSuchKey { path, access_key_id });
        }
        let not_editable = || FileError::NotEditable { path: path.to_owned() };
        let changed = without_block(text, access_key_id).ok_or_else(not_editable)?;
        let after = content::parse(&changed, path).map_err(|_| not_editable())?;
        if is_without(&before, &after, access_key_id) { Ok(changed) } else { Err(not_editable()) }
    })
}

/// The lines of a key.
fn block_of(key: &NewKey) -> String {
    let NewKey { access_key_id, secret_access_key, user, account, policies, is_admin, .. } = key;
    let policies: Vec<String> = policies.iter().map(|name| quoted(name)).collect();
    let token = key.session_token.as_ref().map(|token| quoted(token.expose()));
    let token = token.map_or_else(String::new, |token| format!("session_token = {token}\n"));
    let expires = key.expires.map(|at| UNIX_EPOCH + Duration::from_secs(at.epoch_secs()));
    let expires = expires.map(|at| quoted(&format_rfc3339_seconds(at).to_string()));
    let expires = expires.map_or_else(String::new, |at| format!("expires = {at}\n"));
    format!(
        "[[key]]\naccess_key_id = {}\nsecret_access_key = {}\nuser = {}\naccount = {}\n\
         {token}{expires}policies = [{}]\nadmin = {is_admin}\n",
        quoted(access_key_id),
        quoted(secret_access_key.expose()),
        quoted(user),
        quoted(account),
        policies.join(", "),
    )
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// The text without the lines from `[[key]]` to the next table, for the key of a name. Whether that
/// was right, whoever asks must find out: the lines may be part of a longer text.
fn without_block(text: &str, access_key_id: &str) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_table = |line: &str| line.trim_start().starts_with('[');
    let is_key = |line: &str| line.split('#').next().is_some_and(|line| line.trim() == "[[key]]");
    let is_named = |line: &str| {
        let value = line.split_once('=').filter(|(name, _)| name.trim() == "access_key_id");
        value.is_some_and(|(_, value)| {
            let value = value.split('#').next().unwrap_or_default().trim();
            value.trim_matches(['"', '\'']) == access_key_id
        })
    };
    let starts = lines.iter().enumerate().filter(|(_, line)| is_key(line)).map(|(at, _)| at);
    for start in starts {
        let rest = lines.get(start + 1..).unwrap_or_default();
        let length = rest.iter().position(|line| is_table(line)).unwrap_or(rest.len());
        let block = rest.get(..length).unwrap_or_default();
        if block.iter().any(|line| is_named(line)) {
            // Comments right before the next table are about that one.
            let kept = block.iter().rev().take_while(|line| line.trim_start().starts_with('#'));
            let kept = if length < rest.len() { kept.count() } else { 0 };
            let end = start + 1 + length - kept;
            return Some([lines.get(..start)?, lines.get(end..)?].concat().concat());
        }
    }
    None
}

/// Whether one content is the other without a key.
fn is_without(before: &Credentials, after: &Credentials, access_key_id: &str) -> bool {
    let others = before.iter().filter(|key| key.principal().access_key_id != access_key_id);
    let mut after_keys = after.iter();
    let is_kept = others.into_iter().all(|key| {
        after_keys.next().is_some_and(|kept| {
            kept.principal() == key.principal()
                && kept.key().secret().matches(key.key().secret().expose().as_bytes())
                && kept.expires() == key.expires()
                && kept.session_token().is_some() == key.session_token().is_some()
        })
    });
    is_kept && after_keys.next().is_none() && before.paths() == after.paths()
}

/// Replaces a file by what it is changed to. What it is changed to must be a credentials file.
fn change(
    path: &Path,
    change: impl FnOnce(Option<&str>) -> Result<String, FileError>,
) -> Result<(), FileError> {
    // A link is followed, so that what it points to is replaced and not the link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let _lock = lock(folder).map_err(|error| FileError::io(folder, error))?;
    let text = match read_secret(path) {
        Ok(text) => Some(text),
        Err(FileError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let changed = zeroize::Zeroizing::new(change(text.as_ref().map(|text| text.as_str()))?);
    content::parse(&changed, path)?;
    replace(path, folder, &changed)
}

/// Waits until nobody else changes files in a folder.
fn lock(folder: &Path) -> io::Result<File> {
    let folder = File::open(folder)?;
    folder.lock()?;
    Ok(folder)
}

/// Puts a file that only its owner may open in the place of another, whose owner stays the same, or
/// of none.
fn replace(path: &Path, folder: &Path, text: &str) -> Result<(), FileError> {
    let io = |error| FileError::io(path, error);
    let draft = draft_path(path);
    // What a process left that ended too early is in the way.
    if let Err(error) = fs::remove_file(&draft)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(io(error));
    }
    let mut file = options().open(&draft).map_err(io)?;
    let written = keep_owner(path, &file)
        .and_then(|()| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(io));
    written.and_then(|()| fs::rename(&draft, path).map_err(io)).inspect_err(|_| {
        // The error of writing is the one to report.
        let _ = fs::remove_file(&draft);
    })?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Gives a file to whom the one at a path belongs, if there is one: an administrator may change
/// what a service reads, and only its owner may read it.
#[cfg(unix)]
fn keep_owner(path: &Path, file: &File) -> Result<(), FileError> {
    use std::os::unix::fs::MetadataExt;
    let io = |error| FileError::io(path, error);
    let old = match fs::metadata(path) {
        Ok(old) => old,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io(error)),
    };
    let own = file.metadata().map_err(io)?;
    if (old.uid(), old.gid()) == (own.uid(), own.gid()) {
        return Ok(());
    }
    let (user, group) = (old.uid(), old.gid());
    std::os::unix::fs::fchown(file, Some(user), Some(group))
        .map_err(|source| FileError::OwnerLost { path: path.to_owned(), user, group, source })
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &File) -> Result<(), FileError> {
    Ok(())
}

fn draft_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, chown};

    use super::*;

    const USER: u32 = 4711;
    const GROUP: u32 = 4712;

    fn key(number: u8) -> NewKey {
        NewKey::new(&[number; NewKey::RANDOM_BYTES], "alice", "000000000000")
    }

    #[test]
    fn a_file_stays_with_its_owner_whoever_changes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.toml");
        add_key(&path, &key(1)).unwrap();
        if chown(&path, Some(USER), Some(GROUP)).is_ok() {
            add_key(&path, &key(2)).unwrap();
            let changed = fs::metadata(&path).unwrap();
            let owner = (changed.uid(), changed.gid(), changed.mode() & 0o777);
            assert_eq!(owner, (USER, GROUP, 0o600));
            assert_eq!(Credentials::read(&path).unwrap().len(), 2);
        } else {
            // Only root may give files away. Whoever else would take one away is refused.
            let file = File::open(&path).unwrap();
            let refused = keep_owner(Path::new("/"), &file).unwrap_err().to_string();
            assert!(refused.starts_with("/ belongs to user"), "{refused}");
            assert!(refused.ends_with("run this as that user or as root"), "{refused}");
        }
    }
}
