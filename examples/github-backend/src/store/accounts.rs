//! Users and organizations.

use std::collections::BTreeMap;

use monotable::db::{Page, TransactError};
use monotable::member;
use monotable::prelude::*;

use super::{PageRequest, Store, page, refused};
use crate::error::{AppError, Thing};
use crate::schema::{Account, AccountKind, Membership, PaymentPlan, Repo, membership};

/// How many organizations a user is in at most.
const ORGANIZATIONS_MAX: u32 = 40;

/// How many repositories the page of an account shows.
const REPOS_SHOWN: usize = 25;

impl Store {
    /// Adds a user or an organization, if nobody has the name.
    pub async fn create_account(
        &self,
        name: String,
        kind: AccountKind,
        payment_plan: Option<PaymentPlan>,
    ) -> Result<Account, AppError> {
        let organizations = BTreeMap::new();
        let created_at = self.now();
        let account = Account { name, kind, created_at, organizations, payment_plan };
        let created = self.db.create(&account).await;
        created.map_err(|error| refused(error, AppError::Exists(Thing::Account)))
    }

    /// An account and its repositories, the one that changed last first.
    pub async fn account_page(&self, name: &str) -> Result<(Account, Vec<Repo>), AppError> {
        let account = self.db.get(Account::by_name(name)).await?;
        let account = account.ok_or(AppError::Missing(Thing::Account))?;
        let repos = self.db.query(Repo::of_account(name)).desc().exactly(REPOS_SHOWN).await?;
        Ok((account, repos.into_rows()))
    }

    /// Makes a user a member of an organization: the membership and the user's own list of
    /// organizations change together.
    pub async fn add_member(
        &self,
        organization: &str,
        username: &str,
        role: &str,
    ) -> Result<(), AppError> {
        let membership = Membership {
            organization: organization.to_owned(),
            username: username.to_owned(),
            role: role.to_owned(),
            created_at: self.now(),
        };
        let is_user = Account::KIND.is(AccountKind::User);
        let has_room = Account::ORGANIZATIONS.size().lt(i64::from(ORGANIZATIONS_MAX).into());
        let added = self
            .db
            .transaction()
            .check(&Account::by_name(organization), Account::KIND.is(AccountKind::Organization))
            .or(AppError::Missing(Thing::Organization))
            .create(&membership)
            .or(AppError::Exists(Thing::Membership))
            .patch(
                patch(Account::by_name(username))
                    .organizations(member(organization).set(role.to_owned()))
                    .when(is_user & has_room),
            )
            .or(AppError::Missing(Thing::User))
            .await;
        match added {
            Err(TransactError::Refused(refusal))
                if refusal.current::<Account>().is_some_and(|account| is_full(&account)) =>
            {
                Err(AppError::TooManyOrganizations)
            }
            added => Ok(added?),
        }
    }

    /// A page of the members of an organization.
    pub async fn members(
        &self,
        organization: &str,
        wanted: PageRequest<membership::OfOrganization>,
    ) -> Result<Page<membership::OfOrganization>, AppError> {
        page(self.db.query(Membership::of_organization(organization)), wanted).await
    }

    /// The roles of a user by organization: all of them are in the user's item.
    pub async fn organizations(&self, name: &str) -> Result<BTreeMap<String, String>, AppError> {
        let account = self.db.get(Account::by_name(name)).await?;
        let user = account.filter(|account| account.kind == AccountKind::User);
        Ok(user.ok_or(AppError::Missing(Thing::User))?.organizations)
    }
}

fn is_full(account: &Account) -> bool {
    let count = account.organizations.len();
    account.kind == AccountKind::User && count >= ORGANIZATIONS_MAX as usize
}
