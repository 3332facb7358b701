//! AWS's published test suite for signatures, both ways: what is signed has the signature that the
//! suite states, and what it states is verified.

use monotable_sigv4::{Expected, Presented, Request, Secret, SecretKey, Signer, Timestamp};

const VECTORS: &str = include_str!("vectors.txt");
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const CREDENTIAL: &str = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request";
const HOST: &str = "example.amazonaws.com";
const HOUR_SECS: u64 = 3600;

/// One case of the suite.
struct Case {
    name: &'static str,
    method: &'static str,
    path: &'static str,
    query: &'static str,
    headers: Vec<(&'static str, String)>,
    body: &'static str,
    secret: &'static str,
    credential: [&'static str; 5],
    /// The names of signed headers and the signature.
    header: (&'static str, &'static str),
    presigned: Option<(&'static str, &'static str)>,
}

impl Case {
    fn parse(block: &'static str) -> Case {
        let mut lines = block.lines();
        let name = lines.next().unwrap().trim_matches(['[', ']']);
        let (method, target) = lines.next().unwrap().split_once(' ').unwrap();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut case = Case {
            name,
            method,
            path,
            query,
            headers: Vec::new(),
            body: "",
            secret: SECRET,
            credential: parts(CREDENTIAL),
            header: ("", ""),
            presigned: None,
        };
        lines.for_each(|line| case.read(line));
        if !case.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            case.headers.push(("Host", HOST.to_owned()));
        }
        case
    }

    fn read(&mut self, line: &'static str) {
        match line.split_once(' ') {
            Some(("body", body)) => self.body = body,
            Some(("secret", secret)) => self.secret = secret,
            Some(("credential", credential)) => self.credential = parts(credential),
            Some(("header", rest)) => self.header = rest.split_once(' ').unwrap(),
            Some(("query", rest)) => self.presigned = rest.split_once(' '),
            _ => {
                let (name, value) = line.split_once(':').unwrap();
                self.headers.push((name, value.replace("\\n", "\n")));
            }
        }
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn timestamp(&self) -> Timestamp {
        Timestamp::parse(self.value("x-amz-date").unwrap()).unwrap()
    }

    fn expected(&self) -> Expected<'_> {
        let [_, _, region, service, _] = self.credential;
        Expected { region, service, now: self.timestamp(), signed: &[] }
    }

    /// The headers of the presigned request, which carries the rest in its query.
    fn presigned_headers(&self) -> Vec<(&'static str, String)> {
        let is_sent = |(name, _): &&(&str, String)| !name.to_lowercase().starts_with("x-amz-");
        self.headers.iter().filter(is_sent).cloned().collect()
    }
}

fn parts(credential: &'static str) -> [&'static str; 5] {
    credential.split('/').collect::<Vec<_>>().try_into().unwrap()
}

fn cases() -> Vec<Case> {
    let blocks = VECTORS.split("\n\n").map(str::trim);
    let cases: Vec<Case> = blocks.filter(|block| block.starts_with('[')).map(Case::parse).collect();
    assert!(cases.len() > 30, "{}", cases.len());
    cases
}

fn key(case: &Case) -> SecretKey {
    SecretKey::new(Secret::new(case.secret.to_owned()))
}

#[test]
fn header_signatures_are_those_of_the_suite() {
    for case in cases() {
        let (signed_headers, signature) = case.header;
        let [access_key_id, _, region, service, _] = case.credential;
        let key = key(&case);
        let signer = Signer { access_key_id, key: &key, session_token: None, region, service };
        let headers = case.headers.clone();
        let Case { method, path, query, body, .. } = case;
        let request = Request { method, path, query, headers: &headers[..], body: body.as_bytes() };
        let authorization = signer.authorization(&request, signed_headers, case.timestamp());
        let expected = format!(
            "AWS4-HMAC-SHA256 Credential={}, SignedHeaders={signed_headers}, Signature={signature}",
            case.credential.join("/")
        );
        assert_eq!(authorization, expected, "{}", case.name);

        let signed = [headers.clone(), vec![("Authorization", authorization)]].concat();
        let request = Request { headers: &signed[..], ..request };
        let presented = Presented::read(&request, &case.expected()).unwrap();
        assert_eq!(presented.access_key_id(), access_key_id);
        presented.verify(&key, &request).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    }
}

#[test]
fn query_signatures_are_those_of_the_suite() {
    for case in cases() {
        let Some((signed_headers, signature)) = case.presigned else { continue };
        let [access_key_id, _, region, service, _] = case.credential;
        let key = key(&case);
        let token = case.value("x-amz-security-token").map(|token| Secret::new(token.to_owned()));
        let session_token = token.as_ref();
        let signer = Signer { access_key_id, key: &key, session_token, region, service };
        let headers = case.presigned_headers();
        let Case { method, path, query, body, .. } = case;
        let request = Request { method, path, query, headers: &headers[..], body: body.as_bytes() };
        let query = signer.presigned_query(&request, signed_headers, case.timestamp(), HOUR_SECS);
        let (_, found) = query.rsplit_once("X-Amz-Signature=").unwrap();
        assert_eq!(found, signature, "{}", case.name);

        let request = Request { query: &query, ..request };
        let presented = Presented::read(&request, &case.expected()).unwrap();
        assert_eq!(presented.session_token(), token.as_ref().map(Secret::expose));
        presented.verify(&key, &request).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    }
}
