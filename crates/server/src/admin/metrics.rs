//! `/_monotable/metrics`: what the server counts, for Prometheus.

use bytes::Bytes;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use monotable_observe::ModelReport;

use super::{Admin, Readiness};
use crate::handler::Handler;
use crate::metrics::{Circumstances, PAGE_CONTENT_TYPE, write_page};
use crate::monitor::Monitor;
use crate::response::{self, AnswerBody};

fn seen_models<H: Handler>(handler: &H, now_millis: u64) -> Vec<ModelReport> {
    let observer = handler.observer().filter(|observer| observer.is_active());
    observer.map(|observer| observer.counts(now_millis)).unwrap_or_default()
}

/// The page, as it is now.
pub(super) async fn answer<H: Handler>(
    admin: &Admin,
    monitor: &Monitor,
    handler: &H,
) -> Response<AnswerBody> {
    let circumstances = Circumstances {
        storage: monitor.storage().statistics(),
        lags: handler.lags().await,
        vectors: handler.vector_statistics(),
        is_ready: admin.readiness() == Readiness::Ready,
        uptime: monitor.uptime(),
        models: seen_models(handler, admin.clock.now_millis()),
    };
    let page = write_page(monitor.metrics(), &circumstances);
    let mut response = response::ok_with(Bytes::from(page.into_text()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(PAGE_CONTENT_TYPE));
    response
}
