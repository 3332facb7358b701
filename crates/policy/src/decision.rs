//! What policies decide about a question.

use std::borrow::Borrow;

use crate::document::{Policy, PolicyKind, StatementRef};
use crate::principal::PrincipalMatch;
use crate::question::Question;
use crate::statement::Effect;

/// What policies decide, and by which statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision<'p> {
    /// It may be done.
    Allowed {
        /// The statement of an identity policy that allows it.
        identity: Option<StatementRef<'p>>,
        /// The statement of the resource's policy that allows it.
        resource: Option<StatementRef<'p>>,
    },
    /// A statement denies it.
    DeniedBy(StatementRef<'p>),
    /// Nothing denies it, and what would have to allow it does not.
    NotAllowed {
        /// The kind of policy that would have to.
        missing: PolicyKind,
    },
}

impl Decision<'_> {
    /// Whether it may be done.
    pub fn is_allowed(&self) -> bool {
        match self {
            Decision::Allowed { .. } => true,
            Decision::DeniedBy(_) | Decision::NotAllowed { .. } => false,
        }
    }
}

/// Decides a question by the policies of the principal and by that of the resource.
pub fn decide<'p, P: Borrow<Policy>>(
    identity: &'p [P],
    resource: Option<&'p Policy>,
    question: &Question<'_>,
) -> Decision<'p> {
    let mut grants = Grants::default();
    for policy in identity.iter().map(Borrow::borrow).chain(resource) {
        for (index, statement) in policy.statements.iter().enumerate() {
            let is_of_use = statement.effect == Effect::Deny || grants.can_use(policy.kind());
            let named = if is_of_use { statement.applies(question) } else { PrincipalMatch::None };
            match (statement.effect, named) {
                (_, PrincipalMatch::None) => {}
                (Effect::Deny, PrincipalMatch::Account | PrincipalMatch::Direct) => {
                    return Decision::DeniedBy(StatementRef::new(policy, index));
                }
                (Effect::Allow, named) => grants.add(StatementRef::new(policy, index), named),
            }
        }
    }
    grants.decide(question)
}

/// What allows a question, as far as it was found.
#[derive(Debug, Default)]
pub(crate) struct Grants<'p> {
    identity: Option<StatementRef<'p>>,
    /// The statement that names the principal itself.
    resource: Option<StatementRef<'p>>,
    /// The statement that names only the principal's account.
    resource_by_account: Option<StatementRef<'p>>,
}

impl<'p> Grants<'p> {
    /// Whether another allow of a policy of this kind could change anything.
    fn can_use(&self, kind: PolicyKind) -> bool {
        match kind {
            PolicyKind::Identity => self.identity.is_none(),
            PolicyKind::Resource => self.resource.is_none(),
        }
    }

    /// Takes note of a statement that allows.
    pub(crate) fn add(&mut self, statement: StatementRef<'p>, named: PrincipalMatch) {
        let place = match (statement.policy().kind(), named) {
            (_, PrincipalMatch::None) => return,
            (PolicyKind::Identity, PrincipalMatch::Account | PrincipalMatch::Direct) => {
                &mut self.identity
            }
            (PolicyKind::Resource, PrincipalMatch::Account) => &mut self.resource_by_account,
            (PolicyKind::Resource, PrincipalMatch::Direct) => &mut self.resource,
        };
        place.get_or_insert(statement);
    }

    /// Decides, if nothing denies.
    pub(crate) fn decide(&self, question: &Question<'_>) -> Decision<'p> {
        if !question.is_cross_account() {
            return match (self.identity, self.resource) {
                (None, None) => Decision::NotAllowed { missing: PolicyKind::Identity },
                (identity, resource) => Decision::Allowed { identity, resource },
            };
        }
        let resource = self.resource.or(self.resource_by_account);
        match (self.identity, resource) {
            (None, _) => Decision::NotAllowed { missing: PolicyKind::Identity },
            (Some(_), None) => Decision::NotAllowed { missing: PolicyKind::Resource },
            (identity, resource) => Decision::Allowed { identity, resource },
        }
    }
}
