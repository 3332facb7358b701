//! Where and when a signature counts.

use crate::TERMINATOR;

/// What signing keys are made for: a day, a region and a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope<'a> {
    /// The day, such as `20150830`.
    pub day: &'a str,
    /// The region, such as `us-east-1`.
    pub region: &'a str,
    /// The service, such as `dynamodb`.
    pub service: &'a str,
}

impl Scope<'_> {
    /// Writes the scope as it stands in what is signed.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for part in [self.day, self.region, self.service] {
            out.extend_from_slice(part.as_bytes());
            out.push(b'/');
        }
        out.extend_from_slice(TERMINATOR.as_bytes());
    }
}

/// The access key id and the scope that it is used in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Credential<'a> {
    pub(crate) access_key_id: &'a str,
    pub(crate) scope: Scope<'a>,
    pub(crate) terminator: &'a str,
}

impl<'a> Credential<'a> {
    /// Reads five parts with slashes between them. AWS overlooks slashes at the end.
    pub(crate) fn parse(text: &'a str) -> Option<Credential<'a>> {
        let mut parts = text.trim_end_matches('/').split('/');
        let access_key_id = parts.next()?;
        let (day, region, service) = (parts.next()?, parts.next()?, parts.next()?);
        let terminator = parts.next()?;
        let scope = Scope { day, region, service };
        parts.next().is_none().then_some(Credential { access_key_id, scope, terminator })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_has_five_parts() {
        let credential = Credential::parse("AKID/20150830/us-east-1/dynamodb/aws4_request//");
        let credential = credential.unwrap();
        assert_eq!(credential.access_key_id, "AKID");
        assert_eq!(credential.terminator, TERMINATOR);
        let mut written = Vec::new();
        credential.scope.write(&mut written);
        assert_eq!(written, b"20150830/us-east-1/dynamodb/aws4_request");
        for text in ["", "a/b/c/d", "a/b/c/d/e/f", "a"] {
            assert_eq!(Credential::parse(text), None, "{text}");
        }
    }
}
