//! `monotable keys`: the keys of a credentials file.

mod report;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use monotable_database::Clock;
use monotable_identity::{Credential, Credentials, DEFAULT_ACCOUNT, NewKey, Timestamp, edit};

use crate::system::{SystemClock, random_bytes};
use crate::time::parse_time_millis;

const EXAMPLES: &str = "Examples:
  A key that may do everything, and a server that wants it:
      monotable keys create alice --policy AdministratorAccess --admin --credentials keys.toml
      monotable serve --credentials keys.toml

  A key for an application that reads, without what surrounds it:
      monotable keys create reports --policy AmazonDynamoDBReadOnlyAccess --credentials keys.toml \
                        --output json

  A key that ends by itself, whose requests must carry a session token:
      monotable keys create batch --policy AmazonDynamoDBFullAccess --credentials keys.toml \
                        --expires 2027-01-01T00:00:00Z --session-token

  Who has keys; secrets are never shown:
      monotable keys list --credentials keys.toml

  Give a user a second key, and take the first one away when nothing uses it any more:
      monotable keys rotate AKIAIOSFODNN7EXAMPLE --credentials keys.toml
      monotable keys revoke AKIAIOSFODNN7EXAMPLE --credentials keys.toml

The file is TOML that may be edited by hand; a running server reads it again when it changes.";

/// Create, list, rotate and revoke the keys in a credentials file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct KeysCommand {
    #[command(subcommand)]
    action: Action,

    /// The credentials file; keys create makes it if it does not exist
    #[arg(long, value_name = "FILE", env = "MONOTABLE_CREDENTIALS", global = true)]
    credentials: Option<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text, global = true)]
    output: Output,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create a key for a user, and show its secret once
    Create {
        /// The user's name
        user: String,

        /// The account whose tables the user sees: twelve digits
        #[arg(long, default_value = DEFAULT_ACCOUNT)]
        account: String,

        /// A policy that says what the user may do: one of the file, or AdministratorAccess,
        /// AmazonDynamoDBFullAccess or AmazonDynamoDBReadOnlyAccess; can be repeated. Without one
        /// the user may do nothing
        #[arg(long, value_name = "NAME")]
        policy: Vec<String>,

        /// Allow the key to use /_monotable/ as well, such as for monotable clock
        #[arg(long)]
        admin: bool,

        /// When the key ends: a time in UTC such as 2027-01-01T00:00:00Z, or seconds since 1970
        #[arg(long, value_name = "TIME", value_parser = parse_time_millis)]
        expires: Option<u64>,

        /// Make a session token too, which requests must carry besides the signature
        #[arg(long)]
        session_token: bool,
    },
    /// List the keys, without their secrets
    List,
    /// Create a second key for the user of a key, with the same account and policies. It ends when
    /// the first one does, and has a session token of its own if that has one
    Rotate {
        /// The key that is to be replaced
        access_key_id: String,
    },
    /// Revoke a key; requests signed with it are refused from then on
    Revoke {
        /// The key
        access_key_id: String,
    },
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Does what was asked for.
pub(crate) fn run(arguments: KeysCommand) -> Result<()> {
    let KeysCommand { action, credentials, output } = arguments;
    let path = credentials.context("say which file is meant with --credentials FILE")?;
    match action {
        Action::Create { user, account, policy, admin, expires, session_token } => {
            let mut key = NewKey::new(&random_bytes(), &user, &account);
            (key.policies, key.is_admin) = (policy, admin);
            key.expires = expires.map(Timestamp::from_epoch_millis);
            if has_ended(key.expires) {
                bail!("--expires is in the past, so the key would never count");
            }
            key.session_token = session_token.then(|| NewKey::token(&random_bytes()));
            edit::add_key(&path, &key)?;
            report::print_created(output, &path, &key)
        }
        Action::List => report::print_list(output, &Credentials::read(&path)?),
        Action::Rotate { access_key_id } => {
            let credentials = Credentials::read(&path)?;
            let first = credentials.find(&access_key_id);
            let first =
                first.with_context(|| format!("{} has no key {access_key_id}", path.display()))?;
            let key = second_key(first)?;
            edit::add_key(&path, &key)?;
            report::print_rotated(output, &path, &access_key_id, &key)
        }
        Action::Revoke { access_key_id } => {
            edit::remove_key(&path, &access_key_id)?;
            report::print_revoked(output, &access_key_id)
        }
    }
}

/// A key for the same user, who may do the same for as long.
fn second_key(first: &Credential) -> Result<NewKey> {
    let principal = first.principal();
    if has_ended(first.expires()) {
        let (id, user) = (&principal.access_key_id, &principal.user);
        bail!(
            "{id} has expired, and so would a key like it; monotable keys create {user} makes \
               another"
        );
    }
    let mut key = NewKey::new(&random_bytes(), &principal.user, &principal.account);
    key.policies = principal.policies.iter().map(|policy| policy.name().to_owned()).collect();
    key.is_admin = principal.is_admin;
    key.expires = first.expires();
    key.session_token = first.session_token().map(|_| NewKey::token(&random_bytes()));
    Ok(key)
}

/// Whether the last second of a key is over.
fn has_ended(expires: Option<Timestamp>) -> bool {
    let now = Timestamp::from_epoch_millis(SystemClock.now_millis());
    expires.is_some_and(|expires| expires < now)
}
