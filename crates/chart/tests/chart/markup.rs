//! A reader of markup that is strict where browsers forgive: every tag is closed in order, every
//! attribute is quoted, and every ampersand begins an entity.

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    /// The elements, in the order of their beginnings.
    pub(crate) elements: Vec<Element>,
    /// All text outside of styles and scripts, unescaped.
    pub(crate) text: String,
}

/// An element: its name and attributes.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
}

/// Elements whose content is not markup.
const RAW: &[&str] = &["style", "script"];
/// Elements of the cost report that HTML closes by itself.
const VOID: &[&str] = &["meta", "br", "wbr"];

/// Reads markup, or says what is wrong with it.
pub(crate) fn read(source: &str) -> Result<Markup, String> {
    let mut markup = Markup::default();
    let mut open: Vec<String> = Vec::new();
    let mut rest = source.strip_prefix("<!doctype html>").unwrap_or(source);
    while !rest.is_empty() {
        let Some(tag) = rest.find('<') else {
            markup.text += &unescape(rest)?;
            break;
        };
        markup.text += &unescape(&rest[..tag])?;
        let end = rest[tag..].find('>').ok_or("a tag does not end")? + tag;
        let content = &rest[tag + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = content.strip_prefix('/') {
            let opened = open.pop().ok_or(format!("{name} was not open"))?;
            if opened != name {
                return Err(format!("{opened} ends as {name}"));
            }
            continue;
        }
        let element = element(content)?;
        let name = element.name.clone();
        markup.elements.push(element);
        if content.ends_with('/') || VOID.contains(&name.as_str()) {
            continue;
        }
        if RAW.contains(&name.as_str()) {
            let close = format!("</{name}>");
            let end = rest.find(&close).ok_or(format!("{name} does not end"))?;
            rest = &rest[end + close.len()..];
            continue;
        }
        open.push(name);
    }
    if open.is_empty() { Ok(markup) } else { Err(format!("{open:?} do not end")) }
}

fn element(content: &str) -> Result<Element, String> {
    let content = content.trim_end_matches('/').trim();
    let (name, mut rest) = content.split_once([' ', '\n']).unwrap_or((content, ""));
    if name.is_empty() || !name.chars().all(|character| character.is_ascii_alphanumeric()) {
        return Err(format!("{content:?} is no tag"));
    }
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or(format!("{rest:?} is not quoted"))?;
        let (value, after) = value.split_once('"').ok_or(format!("{rest:?} does not end"))?;
        attributes.push((name.trim().to_owned(), unescape(value)?));
        rest = after;
    }
    Ok(Element { name: name.to_owned(), attributes })
}

fn unescape(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut parts = text.split('&');
    plain += parts.next().unwrap_or("");
    for part in parts {
        let (entity, rest) = part.split_once(';').ok_or(format!("a bare & before {part:?}"))?;
        plain += match entity {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "#39" => "'",
            other => return Err(format!("an unknown entity {other:?}")),
        };
        plain += rest;
    }
    Ok(plain)
}

#[test]
fn the_reader_finds_what_is_wrong() {
    assert!(read("<p>a<br/>b</p>").is_ok());
    for wrong in ["<p>", "<p></b>", "<p><b></p></b>", "a & b", "<p a=b></p>", "<p", "</p>"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
