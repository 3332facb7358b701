//! Builds of our server, which are compared with one another.

use std::path::PathBuf;

use anyhow::Result;

use crate::server::find_binary;

/// The names of two builds by default.
const NAMES: [&str; 2] = ["before", "after"];

/// A binary of our server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Build {
    /// What it is called in the tables.
    pub(crate) name: String,
    /// The file.
    pub(crate) binary: PathBuf,
}

/// A binary as it is named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedBinary {
    name: Option<String>,
    path: PathBuf,
}

/// Reads `FILE` or `NAME=FILE`.
pub(crate) fn parse_binary(text: &str) -> Result<NamedBinary, String> {
    match text.split_once('=') {
        Some(("", _)) | Some((_, "")) => Err("it is neither FILE nor NAME=FILE".to_owned()),
        Some((name, path)) => Ok(NamedBinary { name: Some(name.to_owned()), path: path.into() }),
        None => Ok(NamedBinary { name: None, path: text.into() }),
    }
}

/// The builds to measure; without any the server is built.
pub(crate) fn find_builds(named: Vec<NamedBinary>) -> Result<Vec<Build>> {
    if named.is_empty() {
        return Ok(vec![Build { name: "monotable".to_owned(), binary: find_binary(None)? }]);
    }
    let count = named.len();
    let build = |(place, named): (usize, NamedBinary)| {
        let name = named.name.unwrap_or_else(|| default_name(place, count));
        Ok(Build { name, binary: find_binary(Some(named.path))? })
    };
    named.into_iter().enumerate().map(build).collect()
}

fn default_name(place: usize, count: usize) -> String {
    match (count, NAMES.get(place)) {
        (1, _) => "monotable".to_owned(),
        (2, Some(name)) => (*name).to_owned(),
        _ => format!("build {}", place + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_may_have_a_name() {
        let plain = NamedBinary { name: None, path: "a/monotable".into() };
        assert_eq!(parse_binary("a/monotable"), Ok(plain));
        let named = NamedBinary { name: Some("old".to_owned()), path: "a".into() };
        assert_eq!(parse_binary("old=a"), Ok(named));
        assert!(parse_binary("=a").is_err());
        assert!(parse_binary("old=").is_err());
    }

    #[test]
    fn two_builds_without_names_are_before_and_after() {
        let names = |count| (0..count).map(|place| default_name(place, count)).collect::<Vec<_>>();
        assert_eq!(names(1), ["monotable"]);
        assert_eq!(names(2), ["before", "after"]);
        assert_eq!(names(3), ["build 1", "build 2", "build 3"]);
    }
}
