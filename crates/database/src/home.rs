//! Whose tables these are: an account in a region.
//!
//! A store can hold the tables of many accounts and regions. Calls for one home see nothing of the
//! others: names lead to tables, streams and request tokens only within a home. Everything below
//! the catalogue goes by the numbers of tables, which no two homes share.

use std::sync::Arc;

/// An account and a region.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    account: Arc<str>,
    region: Arc<str>,
}

impl Home {
    /// The home of an account in a region. Neither may have a zero byte, which ends them in keys.
    pub fn new(account: &str, region: &str) -> Home {
        debug_assert!(!account.contains('\0') && !region.contains('\0'));
        Home { account: account.into(), region: region.into() }
    }

    /// The account.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The region.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// The home of another account in the same region.
    pub fn of_account(&self, account: &str) -> Home {
        Home { account: account.into(), region: self.region.clone() }
    }
}

impl Default for Home {
    fn default() -> Home {
        Home::new("000000000000", "us-east-1")
    }
}
