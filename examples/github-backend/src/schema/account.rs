//! Users, organizations and who belongs to them.

use std::collections::BTreeMap;

use monotable::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GitHub, as_text};

/// A user or an organization: a name belongs to one of them only.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(by_name: pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}")]
pub struct Account {
    /// The name in addresses.
    #[attr(name = "AccountName", max_len = 40)]
    pub name: String,
    /// Which of the two it is.
    #[attr(name = "Type", create_only)]
    pub kind: AccountKind,
    /// When it was made.
    #[attr(name = "CreatedAt", created)]
    #[serde(serialize_with = "as_text")]
    pub created_at: Timestamp,
    /// The roles of a user, by organization.
    #[attr(name = "Organizations")]
    pub organizations: BTreeMap<String, String>,
    /// What is paid for.
    #[attr(name = "PaymentPlan")]
    pub payment_plan: Option<PaymentPlan>,
}

/// What an account is.
#[derive(KeyPart, Serialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountKind {
    /// One person.
    User,
    /// Several.
    Organization,
}

/// What is paid for.
#[derive(Attribute, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct PaymentPlan {
    /// Such as `Team`.
    #[attr(name = "planType")]
    pub kind: String,
}

/// A user's place in an organization.
#[derive(Entity, Serialize, Debug, Clone, PartialEq)]
#[entity(table = GitHub)]
#[key(of_organization: pk = "ACCOUNT#{organization}", sk = "MEMBERSHIP#{username}")]
pub struct Membership {
    /// The organization.
    #[attr(name = "OrganizationName", max_len = 40)]
    pub organization: String,
    /// The user.
    #[attr(name = "Username", max_len = 40)]
    pub username: String,
    /// Such as `Owner`.
    #[attr(name = "Role")]
    pub role: String,
    /// Since when.
    #[attr(name = "CreatedAt", created)]
    #[serde(serialize_with = "as_text")]
    pub created_at: Timestamp,
}
