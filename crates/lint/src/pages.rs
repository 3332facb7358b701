//! Pages of recorded queries and scans: which were read on, and which were not.

use monotable_model::document::Tree;

use super::evidence::RecordedRequest;
use super::flow::goes_on;

/// A page after which there is more, and which nobody read on from.
pub(super) struct OpenPage<'a> {
    pub(super) request: &'a RecordedRequest,
    /// How many items it returned.
    pub(super) items: usize,
    /// Whether the request said how many items it wanted.
    pub(super) is_limited: bool,
}

/// The pages with a `LastEvaluatedKey` from which no later request continues. The last request of a
/// connection is left out: the recording may have ended before the next page was asked for.
pub(super) fn open_pages(requests: &[RecordedRequest]) -> Vec<OpenPage<'_>> {
    let open = |(position, request): (usize, &RecordedRequest)| {
        let last = request.response.as_ref()?.member("LastEvaluatedKey")?;
        let continues =
            |later: &RecordedRequest| later.body.member("ExclusiveStartKey") == Some(last);
        let is_left = !requests.iter().skip(position + 1).any(continues);
        (is_left && goes_on(requests, position)).then_some(())
    };
    let pages = requests.iter().enumerate();
    let pages = pages.filter(|(position, request)| open((*position, request)).is_some());
    pages.map(|(_, request)| OpenPage::of(request)).collect()
}

impl OpenPage<'_> {
    fn of(request: &RecordedRequest) -> OpenPage<'_> {
        OpenPage {
            request,
            items: request.response.as_ref().map_or(0, items),
            is_limited: request.body.member("Limit").is_some(),
        }
    }
}

/// How many items an answer has; a count has none, but says how many there would be.
fn items(response: &Tree) -> usize {
    let counted = response.member("Count").and_then(Tree::number).unwrap_or_default() as usize;
    response.member("Items").map_or(counted, |items| items.elements().len())
}
