//! The server that a command talks to.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::Args;
use monotable_remote::{self as remote, Endpoint, Identity};
use monotable_trigger::Error;

use crate::system::SystemClock;

const UNREACHABLE_ADVICE: &str =
    "start it with monotable serve, or give another address with --endpoint";

/// Which server to talk to.
#[derive(Debug, Args)]
pub(crate) struct EndpointArguments {
    /// Address of the server
    ///
    /// AWS itself is `https://dynamodb.REGION.amazonaws.com`; the credentials are those that the
    /// AWS tools use, from the environment or ~/.aws/credentials.
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "AWS_ENDPOINT_URL",
        default_value = "http://127.0.0.1:8000"
    )]
    pub(crate) endpoint: String,
}

/// How often a command that somebody waits for makes a call: for a quarter of a minute.
const ATTEMPTS_MAX: u32 = 8;

impl EndpointArguments {
    /// The endpoint, which is called as long as it takes.
    pub(crate) fn connect(&self) -> Result<Arc<Endpoint>> {
        Ok(Arc::new(self.endpoint()?))
    }

    /// The endpoint, for a command that somebody waits for.
    pub(crate) fn connect_briefly(&self) -> Result<Endpoint> {
        Ok(self.endpoint()?.with_attempts_max(ATTEMPTS_MAX))
    }

    fn endpoint(&self) -> Result<Endpoint> {
        let identity = Identity::from_environment()?;
        Ok(Endpoint::new(&self.endpoint, identity, Arc::new(SystemClock))?)
    }
}

/// What to do about a call that was not answered as it should be.
pub(crate) fn explain_call(error: remote::Error) -> anyhow::Error {
    match &error {
        remote::Error::Unreachable { .. } => anyhow!("{error}; {UNREACHABLE_ADVICE}"),
        _ => error.into(),
    }
}

/// What to do about a stream that cannot be followed.
pub(crate) fn explain(error: Error, table: &str) -> anyhow::Error {
    let advice = match &error {
        Error::Call(remote::Error::Unreachable { .. }) => UNREACHABLE_ADVICE.to_owned(),
        Error::NoStream { .. } => format!(
            "enable it: aws dynamodb update-table --table-name {table} --stream-specification \
             StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES"
        ),
        refused if refused.is_refusal("ResourceNotFoundException") => {
            format!("there must be a table {table}")
        }
        _ => return error.into(),
    };
    anyhow!("{error}; {advice}")
}
