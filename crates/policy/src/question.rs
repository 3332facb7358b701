//! What policies are asked: who wants to do what with which resource, and what is known about it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{arn, keys};

/// The values of a condition key.
pub type Values<'a> = Vec<Cow<'a, str>>;

/// What is known about a request, by the names of condition keys.
///
/// Names are asked for in lower case; [`keys`] has those with a meaning here. An empty list means
/// the same as `None`: the request has no such key. What follows from the principal and the
/// resource (`aws:username` and others) is never asked for.
pub trait Facts {
    /// Returns the values of a key.
    fn values(&self, key: &str) -> Option<Values<'_>>;
}

/// Facts about a request that has none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn values(&self, _key: &str) -> Option<Values<'_>> {
        None
    }
}

/// Facts that are all known beforehand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactTable {
    values: BTreeMap<String, Vec<String>>,
}

impl FactTable {
    /// Returns a table without facts.
    pub fn new() -> FactTable {
        FactTable::default()
    }

    /// Adds a value to those of a key, whose name may be in any case.
    pub fn add(&mut self, key: &str, value: &str) {
        self.values.entry(key.to_ascii_lowercase()).or_default().push(value.to_owned());
    }

    /// Whether a key has values, by its name in any case.
    pub fn contains(&self, key: &str) -> bool {
        self.values.contains_key(&key.to_ascii_lowercase())
    }
}

impl Facts for FactTable {
    fn values(&self, key: &str) -> Option<Values<'_>> {
        let values = self.values.get(key)?;
        Some(values.iter().map(|value| Cow::Borrowed(value.as_str())).collect())
    }
}

/// Who asks: a user of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrincipalName {
    account: Box<str>,
    user: Box<str>,
    arn: Box<str>,
}

impl PrincipalName {
    /// Returns the name of a user.
    pub fn user(account: &str, user: &str) -> PrincipalName {
        let arn = format!("arn:aws:iam::{account}:user/{user}");
        PrincipalName { account: account.into(), user: user.into(), arn: arn.into() }
    }

    /// The account's id.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The user's name within the account.
    pub fn user_name(&self) -> &str {
        &self.user
    }

    /// The ARN, such as `arn:aws:iam::000000000000:user/alice`.
    pub fn arn(&self) -> &str {
        &self.arn
    }
}

/// May this principal perform this action on this resource?
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Who asks.
    pub principal: &'a PrincipalName,
    /// What it wants to do, such as `dynamodb:Query`.
    pub action: &'a str,
    /// What with: the ARN of a table, index, stream, backup or export, or `*` if the action is
    /// about none in particular.
    pub resource: &'a str,
    /// What conditions can ask for.
    pub facts: &'a dyn Facts,
}

impl Question<'_> {
    /// Whether the resource belongs to another account than the principal.
    pub fn is_cross_account(&self) -> bool {
        let owner = arn::account(self.resource);
        owner.is_some_and(|owner| !owner.is_empty() && owner != self.principal.account())
    }

    /// Returns the values of a key in lower case. A key without values is as if it were not there.
    pub(crate) fn values(&self, key: &str) -> Option<Values<'_>> {
        let own = |value| Some(vec![Cow::Borrowed(value)]);
        match key {
            keys::USERNAME | keys::USERID => own(self.principal.user_name()),
            keys::PRINCIPAL_ARN => own(self.principal.arn()),
            keys::PRINCIPAL_ACCOUNT => own(self.principal.account()),
            keys::PRINCIPAL_TYPE => own("User"),
            keys::PRINCIPAL_IS_AWS_SERVICE | keys::VIA_AWS_SERVICE => own("false"),
            keys::RESOURCE_ACCOUNT => own(arn::account(self.resource)?),
            other => self.facts.values(other).filter(|values| !values.is_empty()),
        }
    }
}
