//! Files that people write too, replaced as a whole.
//!
//! The text is written beside the file and then takes its place, so that a full disk or a program
//! that is ended in between leaves the file as it was, and an editor never reads half of it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Replaces the text of a file. Where nothing can be written beside it, or put in its place, as
/// with one file that a container is given, it is written itself.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    // A link stays one, and the file that it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let written = beside(&target, text).or_else(|_| fs::write(&target, text));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn beside(target: &Path, text: &str) -> io::Result<()> {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = target.with_file_name(name);
    let put = || {
        let mut file = fs::File::create_new(&new)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::metadata(target)?.permissions())?;
        file.sync_all()?;
        fs::rename(&new, target)
    };
    put().inspect_err(|_| drop(fs::remove_file(&new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.toml");
        fs::write(&path, "before").unwrap();
        replace(&path, "after").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace(&folder.path().join("no/such.toml"), "text").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_the_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("shop.toml"), folder.path().join("link.toml"));
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, "after").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
