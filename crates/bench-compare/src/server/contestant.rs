//! Who takes part in a comparison.

use anyhow::{Context, Result, ensure};

use super::kind::{Role, ServerKind};

/// A server that is started, or one that runs already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Contestant {
    /// This program starts it.
    Started(ServerKind),
    /// Somebody runs it.
    Running {
        /// What it is called in the tables.
        name: String,
        /// Its address, such as `http://127.0.0.1:8001`.
        url: String,
    },
}

impl Contestant {
    /// Its name in tables.
    pub(crate) fn title(&self) -> String {
        match self {
            Contestant::Started(kind) => kind.title(),
            Contestant::Running { name, .. } => name.clone(),
        }
    }

    /// What it is in a comparison.
    pub(crate) fn role(&self) -> Role {
        match self {
            Contestant::Started(kind) => kind.role(),
            Contestant::Running { .. } => Role::Peer,
        }
    }
}

/// Reads `NAME=URL`.
pub(crate) fn parse_running(text: &str) -> Result<Contestant> {
    let (name, url) = text.split_once('=').context("it is not NAME=URL")?;
    ensure!(!name.is_empty(), "it has no name");
    ensure!(url.starts_with("http://"), "{url} does not begin with http://");
    Ok(Contestant::Running { name: name.to_owned(), url: url.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_server_has_a_name_and_an_address() {
        let contestant = parse_running("DynamoDB Local=http://127.0.0.1:8001").unwrap();
        assert_eq!(contestant.title(), "DynamoDB Local");
        assert_eq!(contestant.role(), Role::Peer);
        for text in ["http://127.0.0.1:8001", "=http://a", "a=b"] {
            assert!(parse_running(text).is_err(), "{text}");
        }
    }
}
