//! The credentials file.
//!
//! ```toml
//! [[key]]
//! access_key_id = "AKIA…"
//! secret_access_key = "…"
//! user = "alice"
//! account = "000000000000"          # this is the default
//! session_token = "…"               # if requests must carry one
//! expires = "2027-01-01T00:00:00Z"  # if the key ends
//! policies = ["readers", "AdministratorAccess"]
//! admin = false                     # whether it may be used for /_monotable/
//!
//! [[policy]]
//! name = "readers"
//! document = '''{ "Version": "2012-10-17", "Statement": [] }'''   # or file = "readers.json"
//! ```
//!
//! The file holds secrets, so only its owner may open it. A member that is not known is refused: it
//! is most likely a known one that was misspelled.

mod content;
pub mod edit;
mod member;
mod place;
mod policies;
mod stamp;
mod token;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::credential::Credential;
use crate::error::FileError;

pub use stamp::FileStamp;
pub use token::read_token;

/// Bytes of a credentials file. Thousands of keys and policies are less.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The content of a credentials file.
#[derive(Debug)]
pub struct Credentials {
    by_id: HashMap<String, Arc<Credential>>,
    /// In the order of the file.
    ids: Vec<String>,
    paths: Vec<PathBuf>,
}

impl Credentials {
    /// Reads a file and the policies that it names.
    pub fn read(path: &Path) -> Result<Credentials, FileError> {
        let text = read_secret(path)?;
        content::parse(&text, path)
    }

    /// The key of a name.
    pub fn find(&self, access_key_id: &str) -> Option<&Arc<Credential>> {
        self.by_id.get(access_key_id)
    }

    /// All keys, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Credential>> {
        self.ids.iter().filter_map(|id| self.by_id.get(id))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no keys, so that nobody can call.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The files that were read.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }
}

/// Reads a file that only its owner may open.
pub(crate) fn read_secret(path: &Path) -> Result<Zeroizing<String>, FileError> {
    let file = File::open(path).map_err(|error| FileError::io(path, error))?;
    // The mode is that of what was opened, whatever the path may mean by now.
    if let Some(mode) = mode_of(&file, path)?.filter(|mode| mode & 0o077 != 0) {
        return Err(FileError::OpenToOthers { path: path.to_owned(), mode });
    }
    read_text(file, path).map(Zeroizing::new)
}

/// Reads a file that only its owner may write to.
fn read_trusted(path: &Path) -> Result<String, FileError> {
    let file = File::open(path).map_err(|error| FileError::io(path, error))?;
    if let Some(mode) = mode_of(&file, path)?.filter(|mode| mode & 0o022 != 0) {
        return Err(FileError::WritableByOthers { path: path.to_owned(), mode });
    }
    read_text(file, path)
}

fn read_text(file: File, path: &Path) -> Result<String, FileError> {
    let mut text = String::new();
    let read = file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
    read.map_err(|error| FileError::io(path, error))?;
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(FileError::TooLarge { path: path.to_owned(), max_bytes: FILE_BYTES_MAX });
    }
    Ok(text)
}

/// Who may do what with a file, where the system says so in that way.
#[cfg(unix)]
fn mode_of(file: &File, path: &Path) -> Result<Option<u32>, FileError> {
    use std::os::unix::fs::MetadataExt;
    let metadata = file.metadata().map_err(|error| FileError::io(path, error))?;
    Ok(Some(metadata.mode() & 0o777))
}

#[cfg(not(unix))]
fn mode_of(_: &File, _: &Path) -> Result<Option<u32>, FileError> {
    Ok(None)
}
