//! How much of the disk is left free.

use std::path::Path;

/// The most that is left free, unless more was asked for.
const BYTES_MAX: u64 = 256_000_000;
/// The part of the disk that is left free: one in this many.
const PART: u64 = 100;

/// The bytes to leave free on the disk of a directory, which need not be there yet.
pub(crate) fn bytes(asked: Option<u64>, directory: &Path) -> u64 {
    asked.unwrap_or_else(|| disk_bytes(directory).map_or(BYTES_MAX, part_of))
}

fn part_of(disk_bytes: u64) -> u64 {
    (disk_bytes / PART).min(BYTES_MAX)
}

/// The size of the disk that a directory is on, or will be.
#[cfg(unix)]
fn disk_bytes(directory: &Path) -> Option<u64> {
    let absolute = std::path::absolute(directory).ok()?;
    let disk = absolute.ancestors().find_map(|path| rustix::fs::statvfs(path).ok())?;
    Some(disk.f_blocks.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn disk_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_disk_leaves_a_hundredth_and_a_large_one_no_more_than_256_megabytes() {
        assert_eq!(part_of(1_000_000_000), 10_000_000);
        assert_eq!(part_of(1_000_000_000_000), 256_000_000);
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_is_not_there_yet_is_on_the_disk_of_its_parent() {
        let directory = tempfile::tempdir().unwrap();
        let (there, not_yet) = (directory.path(), directory.path().join("a/b"));
        assert_eq!(disk_bytes(&not_yet), disk_bytes(there));
        assert!(bytes(None, &not_yet) > 0);
        assert_eq!(bytes(Some(0), there), 0);
    }
}
