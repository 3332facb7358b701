//! What data takes on disk.

use std::path::Path;
use std::{fs, io};

/// What all files below a directory take on disk.
pub(crate) fn directory_bytes(directory: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        // Files may go while the server works in the background.
        let Ok(metadata) = entry.metadata() else { continue };
        bytes +=
            if metadata.is_dir() { directory_bytes(&entry.path())? } else { allocated(&metadata) };
    }
    Ok(bytes)
}

/// The same without the journal of our server, which keeps its files for later use.
pub(crate) fn tree_bytes(data: &Path) -> io::Result<u64> {
    let journal = data.join("journal");
    let journal = if journal.is_dir() { directory_bytes(&journal)? } else { 0 };
    Ok(directory_bytes(data)?.saturating_sub(journal))
}

/// What a file takes, which is less than its length if parts of it were never written.
#[cfg(unix)]
fn allocated(metadata: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;

    metadata.blocks() * 512
}

#[cfg(not(unix))]
fn allocated(metadata: &fs::Metadata) -> u64 {
    metadata.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_directory_is_that_of_all_files_in_it() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("inner")).unwrap();
        fs::write(directory.path().join("a"), vec![1; 100_000]).unwrap();
        fs::write(directory.path().join("inner/b"), vec![1; 50_000]).unwrap();
        let bytes = directory_bytes(directory.path()).unwrap();
        assert!((150_000..200_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn the_journal_is_no_part_of_the_tree() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("journal")).unwrap();
        fs::write(directory.path().join("journal/0.journal"), vec![1; 500_000]).unwrap();
        fs::write(directory.path().join("table"), vec![1; 100_000]).unwrap();
        let bytes = tree_bytes(directory.path()).unwrap();
        assert!((100_000..150_000).contains(&bytes), "{bytes}");
    }
}
