//! From the pieces of keys to a template.

use std::collections::BTreeSet;

use monotable_item::key_encoding::KeyType;
use monotable_model::document::KeyAttribute;
use monotable_model::template::{
    AttributePart, Delimiter, Encoding, Enumeration, Escaping, Form, Segment, Template, TextForm,
};

use super::candidate::Candidate;
use super::invention::Invented;
use super::synthesis::Piece;

/// How many values an enumeration has at most.
const TOKENS_MAX: usize = 10;

/// The template of a key that is an attribute as it is.
pub(super) fn of_itself(key: &KeyAttribute) -> Option<Template> {
    let encoding = match key.kind {
        KeyType::String => "raw",
        KeyType::Number => "number",
        KeyType::Binary => "binary",
    };
    Template::parse(&format!("{{{}:{encoding}}}", key.name)).ok()
}

/// The template of some pieces; unknown ones are the invented attributes in their order.
pub(super) fn template(
    pieces: &[Piece],
    candidates: &[Candidate],
    invented: &[Invented],
) -> Option<Template> {
    let delimiter = delimiter(pieces, candidates);
    let mut inventions = invented.iter();
    let mut segments = Vec::new();
    for (position, piece) in pieces.iter().enumerate() {
        let next = pieces.get(position + 1);
        segments.push(match piece {
            Piece::Literal(text) => Segment::Literal(text.clone()),
            Piece::Attribute(number) => {
                let candidate = candidates.get(*number)?;
                let texts: Vec<&str> = candidate.texts.iter().map(String::as_str).collect();
                Segment::Attribute(unescaped(candidate.part.clone(), &texts, next, delimiter))
            }
            Piece::Unknown(texts) => {
                let (part, _) = inventions.next()?;
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                Segment::Attribute(unescaped(part.clone(), &texts, next, delimiter))
            }
        });
    }
    Template::new(delimiter, segments).ok()
}

/// The character behind a part, if it is another than `#`. What follows an enumeration is told by
/// the enumeration, unless it is that character alone.
fn delimiter(pieces: &[Piece], candidates: &[Candidate]) -> Delimiter {
    let has_default =
        pieces.iter().any(|piece| matches!(piece, Piece::Literal(text) if text.contains('#')));
    let parts_openly = |texts: &[String], literal: &str| {
        let are_words = texts.iter().all(|text| super::key_text::is_constant_word(text));
        literal.chars().count() == 1 || !are_words
    };
    let behind_part = pieces.windows(2).find_map(|pair| match pair {
        [Piece::Attribute(number), Piece::Literal(literal)] => {
            let texts = &candidates.get(*number)?.texts;
            literal.chars().next().filter(|_| parts_openly(texts, literal))
        }
        [Piece::Unknown(_), Piece::Literal(literal)] => literal.chars().next(),
        _ => None,
    });
    let own = behind_part.filter(|character| !has_default && *character != '-');
    own.and_then(Delimiter::new).unwrap_or_default()
}

/// A part whose texts hold the delimiter, or that ends where nothing shows it, needs another form:
/// an enumeration, or the text as it is.
fn unescaped(
    part: AttributePart,
    texts: &[&str],
    next: Option<&Piece>,
    delimiter: Delimiter,
) -> AttributePart {
    let Form::Text(form) = part.encoding.form() else { return part };
    let special = [delimiter.character(), delimiter.escape()];
    let is_special = texts.iter().any(|text| text.contains(special));
    let ends_openly = match next {
        None => false,
        Some(Piece::Literal(text)) => !text.starts_with(delimiter.character()),
        Some(Piece::Attribute(_) | Piece::Unknown(_)) => true,
    };
    // No encoding takes a time without an offset, so that it is written as it is.
    let is_local_time = next.is_none() && texts.iter().all(|text| is_local_time(text));
    if !is_special && !ends_openly && !is_local_time {
        return part;
    }
    if form.steps.is_empty()
        && let Some(tokens) = enumeration(texts)
    {
        return AttributePart { encoding: Encoding::ascending(Form::Enumeration(tokens)), ..part };
    }
    if !is_special && !is_local_time {
        return part;
    }
    let raw = TextForm { steps: form.steps.clone(), escaping: Escaping::Verbatim };
    AttributePart { encoding: Encoding::ascending(Form::Text(raw)), ..part }
}

/// `2026-01-03T10:00:00`, to the second or finer.
fn is_local_time(text: &str) -> bool {
    let shape = text.chars().take(19).map(|c| if c.is_ascii_digit() { '0' } else { c });
    let rest = text.get(19..).unwrap_or_default();
    shape.eq("0000-00-00T00:00:00".chars()) && !rest.contains(['Z', 'z', '+', '-'])
}

/// Few words in capitals are an enumeration.
fn enumeration(texts: &[&str]) -> Option<Enumeration> {
    let words: BTreeSet<&str> = texts.iter().copied().collect();
    let are_words = words.iter().all(|word| super::key_text::is_constant_word(word));
    if words.len() > TOKENS_MAX || !are_words {
        return None;
    }
    Enumeration::new(words.iter().map(|word| ((*word).to_owned(), (*word).to_owned())).collect())
}
