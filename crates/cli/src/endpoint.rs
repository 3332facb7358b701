//! The server that a command talks to.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::Args;
use monotable_remote::{self as remote, Endpoint, Identity};
use monotable_trigger::Error;

use crate::system::SystemClock;

/// Where a server listens that was started without further arguments.
const DEFAULT_ADDRESS: &str = "http://127.0.0.1:8000";

/// Where the AWS tools take an endpoint from: the variable of the service, then that of all.
const VARIABLES: [&str; 2] = ["AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL"];

const UNREACHABLE_ADVICE: &str =
    "start it with monotable serve, or give another address with --endpoint";

/// Which server to talk to.
#[derive(Debug, Args)]
pub(crate) struct EndpointArguments {
    /// Address of the server [env: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL] [default:
    /// http://127.0.0.1:8000]
    ///
    /// AWS itself is `https://dynamodb.REGION.amazonaws.com`; the credentials are those that the
    /// AWS tools use, from the environment or ~/.aws/credentials.
    #[arg(long, global = true, value_name = "URL")]
    endpoint: Option<String>,
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

    /// The address of the server, without a slash at its end.
    pub(crate) fn address(&self) -> String {
        let address = address(self.endpoint.as_deref(), |name| std::env::var(name).ok());
        address.trim_end_matches('/').to_owned()
    }

    fn endpoint(&self) -> Result<Endpoint> {
        let identity = Identity::from_environment()?;
        Ok(Endpoint::new(&self.address(), identity, Arc::new(SystemClock))?)
    }
}

/// What was given, else what the environment says.
fn address(given: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> String {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    given
        .map(str::to_owned)
        .or_else(|| VARIABLES.iter().find_map(set))
        .unwrap_or_else(|| DEFAULT_ADDRESS.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: (&str, &str) = ("AWS_ENDPOINT_URL", "http://all");
    const DYNAMODB: (&str, &str) = ("AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb");

    #[track_caller]
    fn check(given: Option<&str>, environment: &[(&str, &str)], expected: &str) {
        let variable = |name: &str| {
            let found = environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(address(given, variable), expected);
    }

    /// The order of the AWS SDKs ("Service-specific endpoints", SDKs and Tools Reference Guide).
    #[test]
    fn the_variable_of_the_service_goes_before_that_of_all_services() {
        check(None, &[], DEFAULT_ADDRESS);
        check(None, &[ALL], ALL.1);
        check(None, &[ALL, DYNAMODB], DYNAMODB.1);
        check(Some("http://given"), &[ALL, DYNAMODB], "http://given");
        check(None, &[("AWS_ENDPOINT_URL_DYNAMODB", "")], DEFAULT_ADDRESS);
    }
}
