//! One statement of a policy.

use crate::condition::Condition;
use crate::pattern::Case;
use crate::principal::{PrincipalMatch, PrincipalPattern};
use crate::question::Question;
use crate::template::Template;

/// What a statement does to the requests that it applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It allows them, unless something denies them.
    Allow,
    /// It denies them, whatever allows them.
    Deny,
}

/// Whether a list says what is meant or what is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    /// `Action`, `Resource`, `Principal`.
    Listed,
    /// `NotAction`, `NotResource`, `NotPrincipal`.
    NotListed,
}

/// A list with its sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope<T> {
    pub(crate) sense: Sense,
    pub(crate) members: Vec<T>,
}

/// One statement, compiled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statement {
    pub(crate) sid: Option<Box<str>>,
    pub(crate) effect: Effect,
    pub(crate) principals: Option<Scope<PrincipalPattern>>,
    pub(crate) actions: Scope<Template>,
    pub(crate) resources: Scope<Template>,
    pub(crate) conditions: Vec<Condition>,
}

impl Statement {
    /// Whether the statement is about the question. For a statement of an identity policy every
    /// principal is the one that has the policy.
    pub(crate) fn applies(&self, question: &Question<'_>) -> PrincipalMatch {
        let principal = self.names_principal(question);
        let applies = principal != PrincipalMatch::None
            && self.names_action(question)
            && self.names_resource(question)
            && self.conditions.iter().all(|condition| condition.holds(self.effect, question));
        if applies { principal } else { PrincipalMatch::None }
    }

    pub(crate) fn names_principal(&self, question: &Question<'_>) -> PrincipalMatch {
        let Some(scope) = &self.principals else { return PrincipalMatch::Direct };
        let named = scope.members.iter().map(|pattern| pattern.matches(question.principal)).max();
        match (scope.sense, named.unwrap_or(PrincipalMatch::None)) {
            (Sense::Listed, named) => named,
            (Sense::NotListed, PrincipalMatch::Direct) => PrincipalMatch::None,
            // Only denials except principals. To except an account does not except its users.
            (Sense::NotListed, PrincipalMatch::None | PrincipalMatch::Account) => {
                PrincipalMatch::Direct
            }
        }
    }

    pub(crate) fn names_action(&self, question: &Question<'_>) -> bool {
        self.is_in_scope(&self.actions, question.action, Case::Insensitive, question)
    }

    pub(crate) fn names_resource(&self, question: &Question<'_>) -> bool {
        self.is_in_scope(&self.resources, question.resource, Case::Sensitive, question)
    }

    /// A member whose variable has no value matches nothing. What is not such a member is unknown,
    /// which is no reason to allow but one to deny.
    fn is_in_scope(
        &self,
        scope: &Scope<Template>,
        text: &str,
        case: Case,
        question: &Question<'_>,
    ) -> bool {
        let mut is_unknown = false;
        for member in &scope.members {
            match member.matches(text, case, question) {
                Some(true) => return scope.sense == Sense::Listed,
                Some(false) => {}
                None => is_unknown = true,
            }
        }
        scope.sense == Sense::NotListed && (!is_unknown || self.effect == Effect::Deny)
    }

    /// The keys that the statement asks for, in lower case.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let resources = self.resources.members.iter().flat_map(Template::variable_keys);
        resources.chain(self.conditions.iter().flat_map(Condition::keys))
    }
}
