//! What every answer carries, whatever it answers and whichever way the request came.

use crate::request_id::RequestId;

/// The headers that every answer ends with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerMark {
    /// The id of the request.
    pub(crate) request_id: RequestId,
    /// Whether a page in a browser asked.
    pub(crate) is_from_page: bool,
}

impl AnswerMark {
    /// Names the headers, in the order in which they are sent.
    pub(crate) fn for_each_header(&self, mut header: impl FnMut(&'static str, &[u8])) {
        if self.is_from_page {
            // Lets the page that asked read the answer, whatever it is.
            header("access-control-allow-origin", b"*");
        }
        header("x-amzn-requestid", &self.request_id.characters());
    }
}
