//! Which database the application uses.

use anyhow::Context;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};

/// The region, unless `AWS_REGION` names one.
const REGION: &str = "us-east-1";

/// A client of the AWS SDK as the environment says: `AWS_ENDPOINT_URL` for a server that is not
/// AWS, `AWS_REGION`, and the credentials in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
pub fn from_environment() -> anyhow::Result<Client> {
    let variable = |name: &str| std::env::var(name).ok();
    let required = |name: &str| {
        variable(name).with_context(|| format!("set {name}, or run with --embedded for a try"))
    };
    let credentials = Credentials::new(
        required("AWS_ACCESS_KEY_ID")?,
        required("AWS_SECRET_ACCESS_KEY")?,
        variable("AWS_SESSION_TOKEN"),
        None,
        "environment",
    );
    let http = aws_smithy_http_client::Builder::new().tls_provider(
        aws_smithy_http_client::tls::Provider::Rustls(
            aws_smithy_http_client::tls::rustls_provider::CryptoMode::Ring,
        ),
    );
    let mut config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(variable("AWS_REGION").unwrap_or_else(|| REGION.to_owned())))
        .credentials_provider(credentials)
        .http_client(http.build_https());
    if let Some(endpoint) = variable("AWS_ENDPOINT_URL") {
        config = config.endpoint_url(endpoint);
    }
    Ok(Client::from_conf(config.build()))
}
