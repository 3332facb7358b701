//! What the SDK takes for HTTP: requests go to the API in process, and answers come back with the
//! headers that a server sends.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use monotable_api::asks_for_host;
use monotable_identity::Caller;

use crate::embedded::Embedded;

/// The media type of requests and answers.
const JSON: &str = "application/x-amz-json-1.0";

/// Connects the SDK to a database. There is one connector, whatever the settings: nothing is
/// connected to, and nothing lasts long enough to time out.
#[derive(Debug)]
pub(super) struct InProcess(SharedHttpConnector);

impl InProcess {
    pub(super) fn new(embedded: &Embedded) -> InProcess {
        InProcess(SharedHttpConnector::new(Connector(embedded.clone())))
    }
}

impl HttpClient for InProcess {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        self.0.clone()
    }
}

#[derive(Debug)]
struct Connector(Embedded);

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let embedded = self.0.clone();
        HttpConnectorFuture::new(async move { answer(&embedded, &request).await })
    }
}

async fn answer(
    embedded: &Embedded,
    request: &HttpRequest,
) -> Result<HttpResponse, ConnectorError> {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    let body = request.body().bytes();
    let body = body.ok_or_else(|| ConnectorError::user("the body is a stream".into()))?;
    let (status, body) = match embedded.api().call(&caller(request, target), target, body).await {
        Ok(body) => (200, body),
        Err(error) if error.is_unanswered() => {
            return Err(ConnectorError::io("a fault closed the connection".into()));
        }
        Err(error) => (error.status(), error.into_body()),
    };
    response(status, body, embedded.request_ids().next())
}

/// Whoever it is may do everything. Where they think they send to matters to one operation.
fn caller(request: &HttpRequest, target: &str) -> Caller {
    let caller = Caller::anyone();
    if !asks_for_host(target) {
        return caller;
    }
    let address = request.uri();
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    caller.at_host(host.split('/').next().unwrap_or(host))
}

fn response(
    status: u16,
    body: Vec<u8>,
    request_id: String,
) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status);
    let status = status.map_err(|error| ConnectorError::other(error.into(), None))?;
    let checksum = crc32fast::hash(&body);
    let mut response = HttpResponse::new(status, SdkBody::from(body));
    let headers = response.headers_mut();
    headers.insert("x-amzn-requestid", request_id);
    headers.insert("x-amz-crc32", checksum.to_string());
    headers.insert("content-type", JSON);
    Ok(response)
}
