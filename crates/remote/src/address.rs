//! Addresses of endpoints.

use hyper::Uri;

use crate::error::Error;

/// The end of the names of AWS's own endpoints: `dynamodb.eu-west-2.amazonaws.com`.
const AWS_HOSTS: [&str; 2] = [".amazonaws.com", ".amazonaws.com.cn"];
/// AWS serves streams at another name than tables; other endpoints serve both at one.
const AWS_STREAMS: &str = "streams.";

/// Reads an address that can be called over HTTP, with or without TLS.
pub fn parse_address(text: &str) -> Result<Uri, Error> {
    let invalid = || Error::InvalidAddress { text: text.to_owned() };
    let uri: Uri = text.parse().map_err(|_| invalid())?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    if !is_http || uri.host().is_none_or(str::is_empty) {
        return Err(invalid());
    }
    Ok(uri)
}

/// What the `Host` header says: the port only where it is not the usual one.
pub fn host_header(address: &Uri) -> String {
    let host = address.host().unwrap_or_default();
    let usual = if address.scheme_str() == Some("https") { 443 } else { 80 };
    match address.port_u16() {
        Some(port) if port != usual => format!("{host}:{port}"),
        Some(_) | None => host.to_owned(),
    }
}

/// The region of one of AWS's own endpoints: the last part of its name before AWS's own.
pub(crate) fn aws_region(address: &Uri) -> Option<&str> {
    let host = address.host()?;
    let name = AWS_HOSTS.iter().find_map(|end| host.strip_suffix(end))?;
    let (service, region) = name.rsplit_once('.')?;
    service.ends_with("dynamodb").then_some(region)
}

/// Where the streams of the tables of an endpoint are.
pub(crate) fn streams_address(address: &Uri) -> Uri {
    let host = address.host().unwrap_or_default();
    if aws_region(address).is_none() || host.starts_with(AWS_STREAMS) {
        return address.clone();
    }
    let scheme = address.scheme_str().unwrap_or("https");
    let streams = format!("{scheme}://{AWS_STREAMS}{}{}", host_header(address), address.path());
    streams.parse().unwrap_or_else(|_| address.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Uri {
        parse_address(text).unwrap()
    }

    #[test]
    fn only_http_addresses_can_be_called() {
        assert_eq!(address("http://localhost:8000").to_string(), "http://localhost:8000/");
        assert_eq!(address("https://example.com").to_string(), "https://example.com/");
        for refused in ["", "localhost:8000", "ftp://example.com", "/path", "http://"] {
            assert!(parse_address(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn the_host_header_has_only_unusual_ports() {
        for (text, expected) in [
            ("http://localhost:8000", "localhost:8000"),
            ("http://localhost:80", "localhost"),
            ("https://example.com:443", "example.com"),
            ("https://example.com:80", "example.com:80"),
            ("http://[::1]:8000", "[::1]:8000"),
        ] {
            assert_eq!(host_header(&address(text)), expected);
        }
    }

    #[test]
    fn the_names_of_aws_tell_the_region() {
        for (text, expected) in [
            ("https://dynamodb.eu-west-2.amazonaws.com", Some("eu-west-2")),
            ("https://streams.dynamodb.eu-west-2.amazonaws.com", Some("eu-west-2")),
            ("https://dynamodb.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("https://s3.eu-west-2.amazonaws.com", None),
            ("http://localhost:8000", None),
        ] {
            assert_eq!(aws_region(&address(text)), expected, "{text}");
        }
    }

    #[test]
    fn only_aws_has_its_streams_elsewhere() {
        for (text, expected) in [
            (
                "https://dynamodb.eu-west-2.amazonaws.com",
                "https://streams.dynamodb.eu-west-2.amazonaws.com/",
            ),
            (
                "https://streams.dynamodb.eu-west-2.amazonaws.com",
                "https://streams.dynamodb.eu-west-2.amazonaws.com/",
            ),
            ("http://localhost:8000", "http://localhost:8000/"),
        ] {
            assert_eq!(streams_address(&address(text)).to_string(), expected);
        }
    }
}
