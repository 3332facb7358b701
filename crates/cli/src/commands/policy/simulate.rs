//! `monotable policy simulate`: what policies decide about a request, and why.

mod json;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use monotable_identity::{Credentials, DEFAULT_ACCOUNT, Principal};
use monotable_policy::{
    FactTable, Policy, PrincipalName, Question, explain, is_known_action, keys, similar_action,
};

use super::{Output, file};
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  May alice query the orders of a tenant, and which statement says so?
      monotable policy simulate --policy tenants.json --user alice \\
          --action Query --resource table/Orders --context dynamodb:LeadingKeys=TENANT#7

  A batch of two tenants: a key that is given twice has two values:
      monotable policy simulate --policy tenants.json --user alice --action BatchGetItem \\
          --resource table/Orders --context dynamodb:LeadingKeys=TENANT#7 \\
          --context dynamodb:LeadingKeys=TENANT#8

  An index, and a policy that is known by its name:
      monotable policy simulate --policy AmazonDynamoDBReadOnlyAccess \\
          --action Query --resource table/Orders/index/by_state

  A user of a server, with the policies and the account that its credentials file gives it:
      monotable policy simulate --credentials keys.toml --user alice \\
          --action PutItem --resource table/Orders
      monotable policy simulate --credentials keys.toml --access-key AKIAIOSFODNN7EXAMPLE \\
          --action PutItem --resource table/Orders

  A user of another account, and the policy of the table:
      monotable policy simulate --policy mine.json --resource-policy table.json \\
          --user bob --account 111122223333 --action GetItem \\
          --resource arn:aws:dynamodb:us-east-1:000000000000:table/Orders

Condition keys that requests have here:
  dynamodb:LeadingKeys, Attributes, Select, ReturnValues, ReturnConsumedCapacity,
  EnclosingOperation, FullTableScan; aws:SourceIp, SecureTransport, CurrentTime, EpochTime,
  UserAgent, RequestedRegion, PrincipalTag/…, ResourceTag/…, RequestTag/…, TagKeys. Those of the
  user and the account follow from --user and --account.

Exits with 0 if the request is allowed, with 1 if it is denied, and with 2 if that cannot be said.";

/// Show what policies decide about a request, and why
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Simulate {
    #[command(flatten)]
    sources: PolicySources,

    #[command(flatten)]
    request: RequestArguments,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,
}

/// Where the policies come from.
#[derive(Debug, Args)]
struct PolicySources {
    /// A policy of the user: a file, or AdministratorAccess, AmazonDynamoDBFullAccess,
    /// AmazonDynamoDBReadOnlyAccess
    #[arg(
        long = "policy",
        value_name = "FILE",
        num_args = 1..,
        required_unless_present_any = ["resource_policy", "credentials"]
    )]
    policies: Vec<PathBuf>,

    /// A credentials file, as monotable serve has it: the policies and the account of the user of
    /// --user, or of the key of --access-key, are those of the file
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,

    /// The key whose user asks
    #[arg(long, value_name = "ACCESS_KEY_ID", requires = "credentials")]
    access_key: Option<String>,

    /// The policy of the table or stream
    #[arg(long, value_name = "FILE")]
    resource_policy: Option<PathBuf>,
}

impl PolicySources {
    /// The policies that were named, and then those of the user of a credentials file.
    fn identity(&self, user: Option<&Principal>) -> Result<Vec<Arc<Policy>>> {
        let named = self.policies.iter().map(|source| Ok(Arc::new(file::identity(source)?)));
        let own = user.into_iter().flat_map(|user| &user.policies).cloned().map(Ok);
        named.chain(own).collect()
    }

    fn resource(&self) -> Result<Option<Policy>> {
        self.resource_policy.as_deref().map(file::resource).transpose()
    }
}

/// What is asked.
#[derive(Debug, Args)]
struct RequestArguments {
    /// The user who asks [default: user, or the one of --access-key]
    #[arg(long, conflicts_with = "access_key")]
    user: Option<String>,

    /// The user's account [default: 000000000000, or that of the credentials file]
    #[arg(long, value_parser = parse_account)]
    account: Option<String>,

    /// The region of the resource, unless it is given as an ARN
    #[arg(long, default_value = "us-east-1")]
    region: String,

    /// What the user wants to do, such as Query or dynamodb:Query
    #[arg(long, value_parser = parse_action)]
    action: String,

    /// What with: table/Orders, table/Orders/index/by_state, an ARN, or * for actions that are
    /// about no table in particular
    #[arg(long)]
    resource: String,

    /// A fact about the request; give a key several times if it has several values
    #[arg(long = "context", value_name = "KEY=VALUE", value_parser = parse_fact)]
    context: Vec<(String, String)>,
}

/// The name of a user who is nobody in particular.
const SOMEBODY: &str = "user";

impl RequestArguments {
    /// The resource as an ARN; what is no ARN belongs to the user's account.
    fn arn(&self, account: &str) -> Result<String> {
        let resource = self.resource.as_str();
        if resource == "*" || resource.starts_with("arn:") {
            return Ok(resource.to_owned());
        }
        if !resource.starts_with("table/") && !resource.starts_with("global-table/") {
            bail!("{resource} is no resource; write table/{resource}, an ARN, or *");
        }
        Ok(format!("arn:aws:dynamodb:{}:{account}:{resource}", self.region))
    }

    /// The facts, after those keys were refused that neither requests nor the policies have.
    fn facts(&self, policies: &[&Policy]) -> Result<FactTable> {
        let mut facts = FactTable::new();
        for (key, value) in &self.context {
            let is_asked_for = policies.iter().any(|policy| policy.mentions(key));
            if !keys::is_known(key) && !is_asked_for {
                let suggestion = keys::similar(key).map(|key| format!("; did you mean {key}?"));
                bail!("no request has the condition key {key}{}", suggestion.unwrap_or_default());
            }
            facts.add(key, value);
        }
        Ok(facts)
    }
}

/// Prints the decision and what led to it.
pub(super) fn run(arguments: &Simulate) -> Result<Outcome> {
    let request = &arguments.request;
    let known = known_user(&arguments.sources, request)?;
    let identity = arguments.sources.identity(known.as_deref())?;
    let resource_policy = arguments.sources.resource()?;
    let policies: Vec<&Policy> = identity.iter().map(Arc::as_ref).chain(&resource_policy).collect();
    let facts = request.facts(&policies)?;
    let account = known.as_ref().map_or(DEFAULT_ACCOUNT, |known| &known.account);
    let account = request.account.as_deref().unwrap_or(account);
    let user = known.as_ref().map_or(SOMEBODY, |known| &known.user);
    let user = request.user.as_deref().unwrap_or(user);
    let principal = PrincipalName::user(account, user);
    let resource = request.arn(account)?;
    let question = Question {
        principal: &principal,
        action: &request.action,
        resource: &resource,
        facts: &facts,
    };
    let explanation = explain(&identity, resource_policy.as_ref(), &question);
    match arguments.output {
        Output::Text => text::print(&question, &explanation)?,
        Output::Json => json::print(&question, &explanation)?,
    }
    Ok(if explanation.decision.is_allowed() { Outcome::Done } else { Outcome::Negative })
}

/// Whom a credentials file knows by the key or the name that was given.
fn known_user(
    sources: &PolicySources,
    request: &RequestArguments,
) -> Result<Option<Arc<Principal>>> {
    let Some(path) = &sources.credentials else { return Ok(None) };
    let credentials = Credentials::read(path)?;
    let account = request.account.as_deref();
    let is_meant = |known: &Principal| match (&sources.access_key, &request.user) {
        (Some(id), _) => known.access_key_id == *id,
        (None, Some(user)) => {
            known.user == *user && account.is_none_or(|account| known.account == account)
        }
        (None, None) => false,
    };
    let mut found = credentials.iter().map(|key| key.principal()).filter(|known| is_meant(known));
    let Some(first) = found.next() else {
        let (path, asked) = (path.display(), sources.access_key.as_ref().or(request.user.as_ref()));
        match asked {
            Some(asked) => bail!("{path} has no key of {asked}; monotable keys list shows them"),
            None => bail!("name who asks: --user NAME or --access-key ID of {path}"),
        }
    };
    // A user may have several keys while they are rotated. What they may do should not differ.
    if let Some(other) =
        found.find(|other| (&other.account, &other.policies) != (&first.account, &first.policies))
    {
        let (one, other) = (&first.access_key_id, &other.access_key_id);
        bail!("the keys {one} and {other} differ in what they may do; say --access-key which");
    }
    Ok(Some(first.clone()))
}

fn parse_account(text: &str) -> Result<String, String> {
    let is_account = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let wanted = || "an account is 12 digits, such as 000000000000".to_owned();
    if is_account { Ok(text.to_owned()) } else { Err(wanted()) }
}

fn parse_action(text: &str) -> Result<String, String> {
    let action = if text.contains(':') { text.to_owned() } else { format!("dynamodb:{text}") };
    if is_known_action(&action) {
        return Ok(action);
    }
    let suggestion = similar_action(&action).map(|name| format!("; did you mean {name}?"));
    Err(format!("DynamoDB has no action {text}{}", suggestion.unwrap_or_default()))
}

fn parse_fact(text: &str) -> Result<(String, String), String> {
    let fact = text.split_once('=').filter(|(key, _)| key.contains(':'));
    let (key, value) =
        fact.ok_or("a fact is a condition key and a value, such as dynamodb:LeadingKeys=alice")?;
    Ok((key.to_owned(), value.to_owned()))
}
