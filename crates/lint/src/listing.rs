//! Lists of places that only name the first of many.

/// How many are listed at most.
const LISTED_MAX: usize = 5;

/// The first of some texts, and how many more there are: `3, 5, 8, 13, 21 and 4 more`.
pub(super) fn listed(texts: &[String]) -> String {
    let first: Vec<&str> = texts.iter().take(LISTED_MAX).map(String::as_str).collect();
    let first = first.join(", ");
    match texts.len().saturating_sub(LISTED_MAX) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
