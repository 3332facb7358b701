//! The form in which the policies of resources are kept and given back.
//!
//! DynamoDB does not give back the text that it was sent: white space goes, members come in a fixed
//! order, a list of one is its member, and an account is named by the ARN of its root. Documents
//! that agree in this form are one policy, and to put one in the place of the other changes
//! nothing.
//!
//! Known from measurements of the service in October 2026: documents in two dozen spellings, and
//! what GetResourcePolicy gave back.

use super::node::Node;
use super::statement::MEMBERS as STATEMENT_ORDER;
use crate::error::PolicyError;

/// What a document without a version means.
const OLD_VERSION: &str = "2008-10-17";

const DOCUMENT_ORDER: &[&str] = &["Version", "Id", "Statement"];

/// Writes a document that is a policy in its one form.
pub(crate) fn canonical(json: &str) -> Result<String, PolicyError> {
    let root: Node = serde_json::from_str(json)
        .map_err(|error| PolicyError::NotJson { reason: error.to_string() })?;
    let mut text = String::with_capacity(json.len());
    write(&mut text, &document(root));
    Ok(text)
}

fn document(root: Node) -> Node {
    let Node::Object(mut members) = root else { return root };
    if !members.iter().any(|(name, _)| name == "Version") {
        members.push(("Version".to_owned(), Node::Text(OLD_VERSION.to_owned())));
    }
    for (name, value) in &mut members {
        if name == "Statement" {
            let statements = match std::mem::replace(value, Node::Null) {
                Node::List(statements) => statements,
                one => vec![one],
            };
            *value = Node::List(statements.into_iter().map(statement).collect());
        }
    }
    ordered(members, DOCUMENT_ORDER)
}

fn statement(node: Node) -> Node {
    let Node::Object(members) = node else { return node };
    let member = |(name, value): (String, Node)| {
        let value = match name.as_str() {
            "Principal" | "NotPrincipal" => principal(value),
            "Action" | "NotAction" | "Resource" | "NotResource" => single(value),
            _ => value,
        };
        (name, value)
    };
    ordered(members.into_iter().map(member).collect(), STATEMENT_ORDER)
}

fn principal(node: Node) -> Node {
    let Node::Object(members) = node else { return node };
    let member = |(name, value): (String, Node)| {
        let value = if name == "AWS" { single(named_once(value)) } else { single(value) };
        (name, value)
    };
    Node::Object(members.into_iter().map(member).collect())
}

/// Principals by their ARNs, each once.
fn named_once(value: Node) -> Node {
    let names = match value {
        Node::List(names) => names,
        one => vec![one],
    };
    let mut named: Vec<Node> = Vec::with_capacity(names.len());
    for name in names.into_iter().map(root_of_account) {
        if !named.contains(&name) {
            named.push(name);
        }
    }
    Node::List(named)
}

fn root_of_account(name: Node) -> Node {
    match name {
        Node::Text(text) if text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Node::Text(format!("arn:aws:iam::{text}:root"))
        }
        other => other,
    }
}

/// The member of a list that has one.
fn single(value: Node) -> Node {
    match value {
        Node::List(mut members) if members.len() == 1 => members.pop().unwrap_or(Node::Null),
        other => other,
    }
}

fn ordered(mut members: Vec<(String, Node)>, order: &[&str]) -> Node {
    let place = |name: &str| order.iter().position(|known| *known == name).unwrap_or(order.len());
    members.sort_by_key(|(name, _)| place(name));
    Node::Object(members)
}

fn write(text: &mut String, node: &Node) {
    match node {
        Node::Null => text.push_str("null"),
        Node::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Node::Number(number) => text.push_str(number),
        Node::Text(value) => write_text(text, value),
        Node::List(members) => {
            text.push('[');
            for (index, member) in members.iter().enumerate() {
                separate(text, index);
                write(text, member);
            }
            text.push(']');
        }
        Node::Object(members) => {
            text.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                separate(text, index);
                write_text(text, name);
                text.push(':');
                write(text, member);
            }
            text.push('}');
        }
    }
}

fn separate(text: &mut String, index: usize) {
    if index > 0 {
        text.push(',');
    }
}

fn write_text(text: &mut String, value: &str) {
    text.push_str(&serde_json::Value::from(value).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANONICAL: &str = r#"{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:root"},"Action":"dynamodb:GetItem","Resource":"*","Condition":{"Bool":{"aws:SecureTransport":"true"}}}]}"#;

    #[test]
    fn spellings_of_one_policy_are_written_alike() {
        let spelt = r#"{
            "Statement": {
                "Condition": {"Bool": {"aws:SecureTransport": "true"}},
                "Resource": ["*"],
                "Action": ["dynamodb:GetItem"],
                "Principal": {"AWS": ["111122223333", "arn:aws:iam::111122223333:root"]},
                "Effect": "Allow", "Sid": "Read"
            },
            "Version": "2012-10-17"
        }"#;
        assert_eq!(canonical(spelt).unwrap(), CANONICAL);
        assert_eq!(canonical(CANONICAL).unwrap(), CANONICAL);
    }

    #[test]
    fn lists_of_several_keep_their_order() {
        let text = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":["dynamodb:Scan","dynamodb:GetItem"],"Resource":"*"}]}"#;
        assert_eq!(canonical(text).unwrap(), text);
    }

    #[test]
    fn a_document_without_a_version_is_given_the_old_one() {
        let text = canonical(r#"{"Statement":[]}"#).unwrap();
        assert_eq!(text, r#"{"Version":"2008-10-17","Statement":[]}"#);
    }
}
