//! Whom a statement of a resource's policy is about.

use crate::arn;
use crate::error::Problem;
use crate::question::PrincipalName;

/// Whom a statement names in `Principal` or `NotPrincipal`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PrincipalPattern {
    /// Everybody.
    Anyone,
    /// An account, by its id or the ARN of its root.
    Account(Box<str>),
    /// One principal, by its ARN.
    Arn(Box<str>),
    /// A service, a federation or a canonical user of AWS, of which there are none here.
    Foreign(Box<str>),
}

/// How a principal is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PrincipalMatch {
    /// Not at all.
    None,
    /// Only its account is. That lets the account's own policies allow, but allows nothing by
    /// itself.
    Account,
    /// The principal itself, or everybody.
    Direct,
}

impl PrincipalPattern {
    /// Reads a member of the list `AWS`.
    pub(crate) fn parse(text: &str) -> Result<PrincipalPattern, Problem> {
        if text == "*" {
            return Ok(PrincipalPattern::Anyone);
        }
        if is_account_id(text) {
            return Ok(PrincipalPattern::Account(text.into()));
        }
        let malformed = || Problem::MalformedPrincipal { principal: text.to_owned() };
        let [_, _, service, _, account, name] = arn::split(text).ok_or_else(malformed)?;
        let is_identity = matches!(service, "iam" | "sts") && is_account_id(account);
        if !is_identity || name.is_empty() || name.contains(['*', '?']) {
            return Err(malformed());
        }
        Ok(match name {
            "root" => PrincipalPattern::Account(account.into()),
            _ => PrincipalPattern::Arn(text.into()),
        })
    }

    /// How the pattern names a principal.
    pub(crate) fn matches(&self, principal: &PrincipalName) -> PrincipalMatch {
        let (is_match, kind) = match self {
            PrincipalPattern::Anyone => (true, PrincipalMatch::Direct),
            PrincipalPattern::Account(account) => {
                (**account == *principal.account(), PrincipalMatch::Account)
            }
            PrincipalPattern::Arn(arn) => (**arn == *principal.arn(), PrincipalMatch::Direct),
            PrincipalPattern::Foreign(_) => (false, PrincipalMatch::None),
        };
        if is_match { kind } else { PrincipalMatch::None }
    }

    /// The text of the document, or what means the same.
    pub(crate) fn source(&self) -> &str {
        match self {
            PrincipalPattern::Anyone => "*",
            PrincipalPattern::Account(text)
            | PrincipalPattern::Arn(text)
            | PrincipalPattern::Foreign(text) => text,
        }
    }
}

fn is_account_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_named_by_its_id_or_its_root() {
        let id = PrincipalPattern::parse("000000000000").unwrap();
        let root = PrincipalPattern::parse("arn:aws:iam::000000000000:root").unwrap();
        assert_eq!(id, root);
        let alice = PrincipalName::user("000000000000", "alice");
        assert_eq!(id.matches(&alice), PrincipalMatch::Account);
    }

    #[test]
    fn a_part_of_a_name_is_no_principal() {
        for text in ["arn:aws:iam::000000000000:user/*", "alice", "arn:aws:iam::*:root", "", "123"]
        {
            assert!(PrincipalPattern::parse(text).is_err(), "{text}");
        }
    }
}
