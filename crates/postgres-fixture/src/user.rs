//! Whom PostgreSQL runs as.

use std::os::unix::fs::MetadataExt;

use anyhow::{Context, Result};

/// The user and the group to run as, unless that is who runs this. PostgreSQL refuses to run as
/// root: then it runs as `postgres`, or else as `nobody`.
pub fn unprivileged_user() -> Result<Option<(u32, u32)>> {
    if std::fs::metadata("/proc/self")?.uid() != 0 {
        return Ok(None);
    }
    let users = std::fs::read_to_string("/etc/passwd")?;
    let find = |name: &str| {
        let mut fields = users
            .lines()
            .map(|line| line.split(':'))
            .find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))?;
        let user = fields.nth(1)?.parse().ok()?;
        Some((user, fields.next()?.parse().ok()?))
    };
    let user = find("postgres").or_else(|| find("nobody"));
    user.map(Some).context("there is no unprivileged user")
}
