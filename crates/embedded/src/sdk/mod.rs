//! Clients of the AWS SDK whose requests are answered in process.

mod connector;
mod request_id;

pub(crate) use request_id::RequestIds;

use aws_sdk_dynamodb as dynamodb;
use aws_sdk_dynamodbstreams as dynamodbstreams;

use self::connector::InProcess;
use crate::embedded::Embedded;

/// Where requests are sent as far as the SDK knows. Nobody ever looks for it.
const ENDPOINT_URL: &str = "http://monotable.embedded";

impl Embedded {
    /// A client of the AWS SDK for this database: no port, no credentials, no signatures.
    pub fn sdk_client(&self) -> dynamodb::Client {
        dynamodb::Client::from_conf(self.sdk_config().build())
    }

    /// What [`Embedded::sdk_client`] is configured with, to be changed, for example how often it
    /// retries.
    pub fn sdk_config(&self) -> dynamodb::config::Builder {
        dynamodb::Config::builder()
            .behavior_version(dynamodb::config::BehaviorVersion::latest())
            .region(dynamodb::config::Region::new(self.home().region().to_owned()))
            .endpoint_url(ENDPOINT_URL)
            .allow_no_auth()
            .http_client(InProcess::new(self))
    }

    /// A client of the AWS SDK for the streams of this database.
    pub fn streams_client(&self) -> dynamodbstreams::Client {
        dynamodbstreams::Client::from_conf(self.streams_config().build())
    }

    /// What [`Embedded::streams_client`] is configured with, to be changed.
    pub fn streams_config(&self) -> dynamodbstreams::config::Builder {
        dynamodbstreams::Config::builder()
            .behavior_version(dynamodbstreams::config::BehaviorVersion::latest())
            .region(dynamodbstreams::config::Region::new(self.home().region().to_owned()))
            .endpoint_url(ENDPOINT_URL)
            .allow_no_auth()
            .http_client(InProcess::new(self))
    }
}
