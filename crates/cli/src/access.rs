//! What of the web may use a server that is started.

use clap::Args;
use monotable_server::{Access, AllowedHost, AllowedOrigin};

use crate::output;

/// Which web pages may use the server, and by which names it is reached.
#[derive(Debug, Args)]
pub(crate) struct AccessArguments {
    /// Let web pages from this origin use the server, such as http://localhost:3000; can be
    /// repeated. Otherwise no page can, because anyone who can reach the server can do everything.
    /// The origin * allows every page opened on this machine
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<AllowedOrigin>,

    /// Answer to another name, such as host.docker.internal for clients in a container; can be
    /// repeated. Requests to names other than localhost, loopback addresses and --host are
    /// otherwise refused, because a web page can point a name of its own at this machine
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<AllowedHost>,
}

impl AccessArguments {
    /// Says what was allowed, if anything was.
    pub(crate) fn announce(&self) {
        let parts: Vec<String> = self.pages().into_iter().chain(self.names()).collect();
        if !parts.is_empty() {
            output::note(&parts.join(" · "));
        }
    }

    fn pages(&self) -> Option<String> {
        if self.allow_origin.iter().any(AllowedOrigin::is_every) {
            return Some("web pages of every origin may use it".to_owned());
        }
        let origins = list(&self.allow_origin)?;
        Some(format!("web pages of {origins} may use it"))
    }

    fn names(&self) -> Option<String> {
        let names = list(&self.allow_host)?;
        Some(format!("it answers to {names} too"))
    }

    /// The names that were allowed.
    pub(crate) fn allowed_names(&self) -> impl Iterator<Item = String> {
        self.allow_host.iter().map(ToString::to_string)
    }

    /// The same for the server.
    pub(crate) fn access(&self) -> Access {
        Access { origins: self.allow_origin.clone(), hosts: self.allow_host.clone() }
    }
}

/// The values in one line, if there are any.
fn list(values: &[impl ToString]) -> Option<String> {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}
