//! The parameters of a presigned request, which stand in its query.

use std::borrow::Cow;

use crate::percent;

/// Names what follows as parameters of a signature.
pub(crate) const ALGORITHM: &str = "X-Amz-Algorithm";
pub(crate) const CREDENTIAL: &str = "X-Amz-Credential";
pub(crate) const DATE: &str = "X-Amz-Date";
pub(crate) const EXPIRES: &str = "X-Amz-Expires";
pub(crate) const SECURITY_TOKEN: &str = "X-Amz-Security-Token";
pub(crate) const SIGNED_HEADERS: &str = "X-Amz-SignedHeaders";

/// The first value of a parameter, decoded. Names are decoded too, as they are in what is signed:
/// otherwise a parameter could be hidden by writing its name in another way.
pub fn find<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut parts = query.split('&').map(|part| part.split_once('=').unwrap_or((part, "")));
    let (_, value) = parts.find(|(found, _)| decoded(found) == name)?;
    Some(decoded(value))
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(String::from_utf8_lossy(&percent::decode(text)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded_and_the_first_counts() {
        let query = "a=1&X-Amz-Credential=id%2Fday&X-Amz-Credential=other&X-Amz-Algorithm";
        assert_eq!(find(query, CREDENTIAL).as_deref(), Some("id/day"));
        assert_eq!(find(query, ALGORITHM).as_deref(), Some(""));
        assert_eq!(find(query, DATE), None);
    }

    #[test]
    fn a_name_cannot_be_hidden_by_encoding_it() {
        assert_eq!(find("X-Amz%2DExpires=60", EXPIRES).as_deref(), Some("60"));
    }
}
