//! Who sends a request, and from where.

use std::net::IpAddr;
use std::sync::Arc;

use monotable_policy::Policy;

/// Who a key belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Principal {
    /// The account whose tables are meant: twelve digits.
    pub account: String,
    /// The user's name.
    pub user: String,
    /// The name of the key.
    pub access_key_id: String,
    /// What the user may do. Without any, nothing.
    pub policies: Vec<Arc<Policy>>,
    /// Whether the key may be used for what is under `/_monotable/`.
    pub is_admin: bool,
}

impl Principal {
    /// The user's Amazon resource name.
    pub fn arn(&self) -> String {
        format!("arn:aws:iam::{}:user/{}", self.account, self.user)
    }
}

/// Where a request comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The address at the other end of the connection.
    pub address: IpAddr,
    /// Whether nobody on the way could read it.
    pub is_encrypted: bool,
    /// What the client calls itself.
    pub user_agent: Option<String>,
}

/// Who sends a request, and from where.
#[derive(Debug, Clone, PartialEq)]
pub struct Caller {
    principal: Option<Arc<Principal>>,
    source: Option<Source>,
    /// Whom the request is sent to, where it matters.
    host: Option<Arc<str>>,
}

impl Caller {
    /// Whoever it is: the server has no credentials, so everything is allowed.
    pub const fn anyone() -> Caller {
        Caller { principal: None, source: None, host: None }
    }

    /// Whoever signed with the key of a principal.
    pub fn new(principal: Arc<Principal>, source: Source) -> Caller {
        Caller { principal: Some(principal), source: Some(source), host: None }
    }

    /// The same caller, who sends to a host, given with its port if that is not the usual one.
    #[must_use]
    pub fn at_host(mut self, host: &str) -> Caller {
        self.host = Some(host.into());
        self
    }

    /// Whom the request is sent to, if that was found out.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Who it is. None means that nobody was asked to prove it.
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_deref()
    }

    /// Where the request comes from, if it was signed.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Whether the caller may use what is under `/_monotable/`.
    pub fn is_admin(&self) -> bool {
        self.principal().is_none_or(|principal| principal.is_admin)
    }
}
