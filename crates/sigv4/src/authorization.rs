//! The `Authorization` header.

use crate::error::SignatureError;
use crate::hex;

/// What begins every algorithm of this version. A header that begins otherwise is no signature.
const ALGORITHM_PREFIX: &str = "AWS4-";

/// What the header says. What it does not say is missing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Authorization<'a> {
    pub(crate) algorithm: &'a str,
    pub(crate) credential: Option<&'a str>,
    pub(crate) signed_headers: Option<&'a str>,
    pub(crate) signature: Option<&'a str>,
}

impl<'a> Authorization<'a> {
    /// Reads the value of the header: the algorithm, and parameters with commas or spaces between
    /// them. Of a parameter that occurs twice the first one counts.
    pub(crate) fn parse(header: &'a str) -> Result<Authorization<'a>, SignatureError> {
        // Looking for one character at a time goes over many bytes at once.
        let parts = header.split(' ').flat_map(|words| words.split(','));
        let mut parts = parts.filter(|part| !part.is_empty());
        let algorithm = parts.next().filter(|first| first.starts_with(ALGORITHM_PREFIX));
        let algorithm = algorithm.ok_or(SignatureError::Missing)?;
        let mut found =
            Authorization { algorithm, credential: None, signed_headers: None, signature: None };
        for part in parts {
            let Some((name, value)) = part.split_once('=') else {
                let header_sha256 = hex::sha256(header.as_bytes());
                return Err(SignatureError::NotKeyValue { header_sha256 });
            };
            match name {
                "Credential" => found.credential = found.credential.or(Some(value)),
                "SignedHeaders" => found.signed_headers = found.signed_headers.or(Some(value)),
                "Signature" => found.signature = found.signature.or(Some(value)),
                _ => {}
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn commas_and_spaces_separate_parameters() {
        for header in [
            "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host;date, Signature=c",
            "AWS4-HMAC-SHA256 Credential=a/b,SignedHeaders=host;date,Signature=c",
            "AWS4-HMAC-SHA256 Signature=c SignedHeaders=host;date Credential=a/b",
            "  AWS4-HMAC-SHA256 Signature=c,,  SignedHeaders=host;date , Credential=a/b Foo=1",
        ] {
            let found = Authorization::parse(header).unwrap();
            assert_eq!(found.algorithm, "AWS4-HMAC-SHA256");
            assert_eq!(found.credential, Some("a/b"), "{header}");
            assert_eq!(found.signed_headers, Some("host;date"), "{header}");
            assert_eq!(found.signature, Some("c"), "{header}");
        }
    }

    #[test]
    fn other_schemes_are_no_signature() {
        for header in ["", " ", "Bearer abc", "Basic YTpi", "AWS AKID:sig", "AWS3-HTTPS a=b"] {
            assert_eq!(Authorization::parse(header), Err(SignatureError::Missing), "{header}");
        }
    }

    #[test]
    fn a_part_without_an_equal_sign_is_told_by_its_digest() {
        let error = Authorization::parse("AWS4-HMAC-SHA256 Credential").unwrap_err();
        let header_sha256 = hex::sha256(b"AWS4-HMAC-SHA256 Credential");
        assert_eq!(error, SignatureError::NotKeyValue { header_sha256 });
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in any::<String>(), rest in "[ ,=a-zA-Z;/]{0,60}") {
            for header in [text, format!("AWS4-HMAC-SHA256 {rest}")] {
                if let Ok(found) = Authorization::parse(&header) {
                    prop_assert!(found.algorithm.starts_with(ALGORITHM_PREFIX));
                }
            }
        }
    }
}
