//! The server that a command talks to.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::Args;
use monotable_trigger::{Endpoint, Error};

use crate::system::SystemClock;

/// Which server to talk to.
#[derive(Debug, Args)]
pub(crate) struct EndpointArguments {
    /// Address of the server
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "AWS_ENDPOINT_URL",
        default_value = "http://127.0.0.1:8000"
    )]
    pub(crate) endpoint: String,
}

impl EndpointArguments {
    pub(crate) fn connect(&self) -> Result<Arc<Endpoint>> {
        Ok(Arc::new(Endpoint::new(&self.endpoint, Arc::new(SystemClock))?))
    }
}

/// What to do about a stream that cannot be followed.
pub(crate) fn explain(error: Error, table: &str) -> anyhow::Error {
    let advice = match &error {
        Error::Unreachable { .. } => {
            "start it with monotable serve, or give another address with --endpoint".to_owned()
        }
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
