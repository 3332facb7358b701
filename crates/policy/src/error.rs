//! Why a document is not a policy.

use thiserror::Error;

/// Why a document is not a policy, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The document is too long.
    #[error(
        "the document has {size_bytes} bytes, over {max_bytes}; split it into several policies"
    )]
    TooLarge {
        /// How long it is.
        size_bytes: usize,
        /// How long it may be.
        max_bytes: usize,
    },
    /// The text is not JSON.
    #[error("not JSON: {reason}")]
    NotJson {
        /// What the reader says, with line and column.
        reason: String,
    },
    /// Something in the document is wrong.
    #[error("{path}: {problem}")]
    Invalid {
        /// Where, such as `Statement[0].Action[1]`.
        path: String,
        /// What.
        problem: Problem,
    },
}

/// What is wrong at a place of a document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A value has the wrong JSON type.
    #[error("{found} stands where {wanted} belongs")]
    WrongType {
        /// What would be right.
        wanted: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A member occurs twice in an object.
    #[error("{name} occurs twice; put all of it into one")]
    Duplicate {
        /// The member.
        name: String,
    },
    /// A member has no meaning.
    #[error("{name} means nothing here{}", suggested(suggestion))]
    UnknownMember {
        /// The member.
        name: String,
        /// A similar name that has one.
        suggestion: Option<&'static str>,
    },
    /// A member is missing.
    #[error("{name} is missing")]
    Missing {
        /// The member or members of which one is needed.
        name: &'static str,
    },
    /// Two members exclude each other.
    #[error("{first} and {second} exclude each other; keep one of them")]
    Exclusive {
        /// One of them.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// An identity policy names a principal.
    #[error("{name} belongs to policies of resources; the policy of a user is about that user")]
    PrincipalInIdentityPolicy {
        /// The member.
        name: &'static str,
    },
    /// A statement allows all principals but those that it names.
    #[error("NotPrincipal is for statements that deny; list in Principal whom you allow")]
    AllowWithNotPrincipal,
    /// The version is not a known one.
    #[error("{version:?} is no version; use \"2012-10-17\"")]
    UnknownVersion {
        /// What the document says.
        version: String,
    },
    /// The effect is neither of the two.
    #[error("{effect:?} is no effect; use \"Allow\" or \"Deny\"{}", suggested(suggestion))]
    UnknownEffect {
        /// What the document says.
        effect: String,
        /// Which of the two is meant, perhaps.
        suggestion: Option<&'static str>,
    },
    /// There are no statements.
    #[error("a policy needs at least one statement")]
    NoStatements,
    /// A Sid has characters that it may not have.
    #[error("{sid:?} is no Sid; use letters and digits")]
    MalformedSid {
        /// What the document says.
        sid: String,
    },
    /// Two statements have the same Sid.
    #[error("another statement has the Sid {sid:?}; a Sid names one statement")]
    SidTwice {
        /// What the document says.
        sid: String,
    },
    /// An action has no service.
    #[error(
        "{action:?} is no action; write \"*\" or a service and a name, such as \"dynamodb:GetItem\""
    )]
    MalformedAction {
        /// What the document says.
        action: String,
    },
    /// A resource is no ARN.
    #[error(
        "{resource:?} is no resource; write \"*\" or an ARN, such as \
         \"arn:aws:dynamodb:*:*:table/Orders\""
    )]
    MalformedResource {
        /// What the document says.
        resource: String,
    },
    /// A principal is none that there can be.
    #[error(
        "{principal:?} is no principal; write \"*\", an account id of 12 digits, or an ARN such as \
         \"arn:aws:iam::000000000000:user/alice\""
    )]
    MalformedPrincipal {
        /// What the document says.
        principal: String,
    },
    /// A condition operator is none that there is.
    #[error("{operator:?} is no condition operator{}", suggested(suggestion))]
    UnknownOperator {
        /// What the document says.
        operator: String,
        /// A similar one that there is.
        suggestion: Option<String>,
    },
    /// A condition key has no service.
    #[error("{key:?} is no condition key; write a service and a name, such as \"aws:SourceIp\"")]
    MalformedKey {
        /// What the document says.
        key: String,
    },
    /// A value is none that the operator can compare with.
    #[error("{value:?} is no {wanted}")]
    MalformedValue {
        /// What the document says.
        value: String,
        /// What the operator compares with.
        wanted: &'static str,
    },
    /// A variable does not end.
    #[error(
        "the variable in {text:?} does not end; close it with }}, or write ${{$}} for a dollar sign"
    )]
    VariableNotClosed {
        /// The text with the variable.
        text: String,
    },
    /// A variable is none.
    #[error(
        "${{{variable}}} is no variable; write a condition key, such as ${{aws:username}}, or one \
         with a default, such as ${{aws:PrincipalTag/team, 'none'}}"
    )]
    VariableMalformed {
        /// What stands between the braces.
        variable: String,
    },
}

fn suggested(suggestion: &Option<impl AsRef<str>>) -> String {
    let said = suggestion.as_ref().map(|name| format!("; did you mean {}?", name.as_ref()));
    said.unwrap_or_default()
}
