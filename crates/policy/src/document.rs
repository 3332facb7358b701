//! A policy: a document that was read and compiled.

use std::fmt;

use crate::error::PolicyError;
use crate::finding::{self, Finding};
use crate::managed;
use crate::parse::{self, Document};
use crate::principal::PrincipalPattern;
use crate::statement::{Effect, Sense, Statement};
use crate::template::{Template, Variables};

/// How long the policy of a user may be.
pub const IDENTITY_POLICY_BYTES_MAX: usize = 64 * 1024;

/// How long the policy of a table or stream may be, white space included, as in DynamoDB.
pub const RESOURCE_POLICY_BYTES_MAX: usize = 20 * 1024;

/// Whose policy it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyKind {
    /// A user's: says what this user may do.
    Identity,
    /// A resource's: says who may do what with it.
    Resource,
}

/// A policy document that was read and compiled.
#[derive(Clone, PartialEq)]
pub struct Policy {
    name: Box<str>,
    kind: PolicyKind,
    pub(crate) statements: Vec<Statement>,
    /// What the statements ask for: in lower case, sorted, each once.
    keys: Vec<Box<str>>,
    variables: Variables,
}

impl Policy {
    /// Reads the policy of a user. The name is that by which decisions refer to it.
    pub fn parse_identity(name: &str, json: &str) -> Result<Policy, PolicyError> {
        Policy::parse(PolicyKind::Identity, name, json)
    }

    /// Reads the policy of a resource. The name is that by which decisions refer to it.
    pub fn parse_resource(name: &str, json: &str) -> Result<Policy, PolicyError> {
        Policy::parse(PolicyKind::Resource, name, json)
    }

    /// Reads a policy of either kind.
    pub fn parse(kind: PolicyKind, name: &str, json: &str) -> Result<Policy, PolicyError> {
        let max_bytes = match kind {
            PolicyKind::Identity => IDENTITY_POLICY_BYTES_MAX,
            PolicyKind::Resource => RESOURCE_POLICY_BYTES_MAX,
        };
        if json.len() > max_bytes {
            return Err(PolicyError::TooLarge { size_bytes: json.len(), max_bytes });
        }
        let document = parse::document(kind, json)?;
        let asked = document.statements.iter().flat_map(Statement::keys);
        let mut keys: Vec<Box<str>> = asked.map(Into::into).collect();
        keys.sort();
        keys.dedup();
        let Document { variables, statements } = document;
        Ok(Policy { name: name.into(), kind, statements, keys, variables })
    }

    /// Returns one of AWS's own policies by its name; [`MANAGED_POLICIES`](crate::MANAGED_POLICIES)
    /// has the names.
    pub fn managed(name: &str) -> Option<Policy> {
        let document = managed::document(name)?;
        Some(
            Policy::parse_identity(name, document)
                .expect("the documents of the crate are policies"),
        )
    }

    /// Returns the document of a policy in the one form that all spellings of it share.
    pub fn canonical(json: &str) -> Result<String, PolicyError> {
        parse::canonical(json)
    }

    /// Whether a statement allows something to everybody, whatever the request.
    pub fn allows_everybody(&self) -> bool {
        let is_open = |statement: &Statement| {
            let everybody = statement.principals.as_ref().is_some_and(|scope| {
                scope.sense == Sense::Listed && scope.members.contains(&PrincipalPattern::Anyone)
            });
            everybody && statement.effect == Effect::Allow && statement.conditions.is_empty()
        };
        self.statements.iter().any(is_open)
    }

    /// The actions that statements list, as they are spelt.
    pub fn listed_actions(&self) -> impl Iterator<Item = &str> {
        let actions = self.statements.iter().flat_map(|statement| &statement.actions.members);
        actions.map(Template::source)
    }

    /// The name that it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whose policy it is.
    pub fn kind(&self) -> PolicyKind {
        self.kind
    }

    /// How many statements it has.
    pub fn statement_count(&self) -> usize {
        self.statements.len()
    }

    /// Whether a statement asks for a condition key, by its name in any case.
    pub fn mentions(&self, key: &str) -> bool {
        // Almost all policies ask for nothing, and the rest for a few keys.
        self.keys.iter().any(|asked| asked.eq_ignore_ascii_case(key))
    }

    /// Whether any statement asks for any condition key.
    pub fn has_conditions(&self) -> bool {
        !self.keys.is_empty()
    }

    /// The condition keys that statements ask for, in lower case, each once.
    pub fn mentioned_keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| &**key)
    }

    /// What is allowed in a policy, but probably a mistake.
    pub fn findings(&self) -> Vec<Finding> {
        finding::findings(&self.statements, self.variables)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Policy({:?}, {} statements)", self.name, self.statements.len())
    }
}

/// A statement of a policy.
#[derive(Clone, Copy)]
pub struct StatementRef<'p> {
    policy: &'p Policy,
    index: usize,
}

impl<'p> StatementRef<'p> {
    pub(crate) fn new(policy: &'p Policy, index: usize) -> StatementRef<'p> {
        debug_assert!(index < policy.statements.len());
        StatementRef { policy, index }
    }

    /// The policy that has it.
    pub fn policy(&self) -> &'p Policy {
        self.policy
    }

    /// Its number within the policy, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its Sid, if it has one.
    pub fn sid(&self) -> Option<&'p str> {
        self.policy.statements.get(self.index).and_then(|statement| statement.sid.as_deref())
    }

    /// What it does.
    pub fn effect(&self) -> Effect {
        self.policy.statements.get(self.index).map_or(Effect::Deny, |statement| statement.effect)
    }
}

impl PartialEq for StatementRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.policy, other.policy) && self.index == other.index
    }
}

impl Eq for StatementRef<'_> {}

impl fmt::Display for StatementRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Statement[{}]", self.index)?;
        if let Some(sid) = self.sid() {
            write!(formatter, " ({sid})")?;
        }
        write!(formatter, " of {}", self.policy.name())
    }
}

impl fmt::Debug for StatementRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}
