//! Partition keys: which are asked, and which entities share them.

use monotable_model::document::{Range, RangeComparison, Source};
use monotable_model::template::{
    AttributePart, Delimiter, Escaping, Form, Identifier, Segment, Shard, Template, TimeForm,
};

use super::bindings::Bindings;
use super::key_text::{KeyText, Piece};
use super::order::Atom;
use super::order::same_value;

/// What is missing of a partition key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Missing {
    /// An attribute is not known.
    Attribute(String),
    /// Only a range of a period is known, and it is open at one end.
    OpenPeriod(String),
}

/// The partition key of an entity, if enough of it is known.
pub(super) fn partition_text(
    template: &Template,
    bindings: &Bindings,
    range: Option<&Range>,
) -> Result<KeyText, Missing> {
    let mut text = KeyText::empty(template.delimiter());
    for segment in template.segments() {
        text = text.with(piece(segment, bindings, range)?);
    }
    Ok(text)
}

fn piece(segment: &Segment, bindings: &Bindings, range: Option<&Range>) -> Result<Piece, Missing> {
    if let Some(piece) = known_piece(segment, bindings) {
        return Ok(piece);
    }
    match segment {
        Segment::Literal(text) => Ok(Piece::Literal(text.clone())),
        Segment::Shard(shard) => Ok(Piece::EachShard(shard.clone())),
        Segment::Attribute(part) => period(part, range),
    }
}

/// If a range of a period is known, each period of the range is read.
fn period(part: &AttributePart, range: Option<&Range>) -> Result<Piece, Missing> {
    let attribute = part.path.to_string();
    let is_period = matches!(part.encoding.form(), Form::Time(TimeForm::Bucket(..)));
    match range {
        Some(range) if is_period && range.attribute == attribute => match range.comparison {
            RangeComparison::Between(..) => Ok(Piece::EachPeriod { part: part.clone() }),
            RangeComparison::Less(_)
            | RangeComparison::LessOrEqual(_)
            | RangeComparison::Greater(_)
            | RangeComparison::GreaterOrEqual(_)
            | RangeComparison::BeginsWith(_) => Err(Missing::OpenPeriod(attribute)),
        },
        Some(_) | None => Err(Missing::Attribute(attribute)),
    }
}

/// The piece of a segment whose attributes are all known.
pub(super) fn known_piece(segment: &Segment, bindings: &Bindings) -> Option<Piece> {
    match segment {
        Segment::Literal(text) => Some(Piece::Literal(text.clone())),
        Segment::Attribute(part) => {
            let source = bindings.source(&part.path)?.clone();
            Some(Piece::Value { part: part.clone(), source })
        }
        Segment::Shard(shard) => {
            let paths = shard.rule().input()?.paths();
            let input = |path: &&monotable_item::Path| {
                Some((path.root.clone(), bindings.source(path)?.clone()))
            };
            let inputs = paths.iter().map(input).collect::<Option<Vec<_>>>()?;
            Some(Piece::Shard { shard: shard.clone(), inputs })
        }
    }
}

/// Whether an entity's items can have a certain partition key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sharing {
    /// They never do.
    Never,
    /// They do if their attributes have these values.
    Bound(Bindings),
    /// They may; the values say nothing about single attributes.
    Possible,
}

/// Whether items of a template can have a key of this text.
///
/// Keys are compared field by field, which is exact where no part can hold a delimiter. A part that
/// can makes it possible.
pub(super) fn sharing(text: &KeyText, template: &Template) -> Sharing {
    let delimiter = template.delimiter();
    let atoms = text.atoms();
    let separable = text.delimiter() == delimiter
        && atoms.iter().all(|atom| !may_hold_delimiter(atom, delimiter))
        && template.segments().iter().all(|segment| !segment_may_hold(segment, delimiter));
    if !separable {
        return Sharing::Possible;
    }
    let own = own_atoms(template);
    let fields = split(&atoms, |atom| is_character(atom, delimiter.character()));
    let own_fields =
        split(&own, |atom| matches!(atom, Own::Character(c) if *c == delimiter.character()));
    if fields.len() != own_fields.len() {
        return Sharing::Never;
    }
    let mut bindings = Bindings::default();
    let mut result = Sharing::Bound(Bindings::default());
    for (field, own_field) in fields.iter().zip(&own_fields) {
        match match_field(field, own_field, delimiter, &mut bindings) {
            FieldMatch::Never => return Sharing::Never,
            FieldMatch::Bound => {}
            FieldMatch::Possible => result = Sharing::Possible,
        }
    }
    match result {
        Sharing::Bound(_) => Sharing::Bound(bindings),
        Sharing::Possible | Sharing::Never => result,
    }
}

/// A character, or a part, of a template of which nothing is known.
#[derive(Debug, Clone, Copy)]
enum Own<'t> {
    Character(char),
    Part(&'t AttributePart),
    Shard(&'t Shard),
}

enum FieldMatch {
    Never,
    Bound,
    Possible,
}

fn own_atoms(template: &Template) -> Vec<Own<'_>> {
    let mut atoms = Vec::new();
    for segment in template.segments() {
        match segment {
            Segment::Literal(text) => atoms.extend(text.chars().map(Own::Character)),
            Segment::Attribute(part) => atoms.push(Own::Part(part)),
            Segment::Shard(shard) => atoms.push(Own::Shard(shard)),
        }
    }
    atoms
}

fn match_field(
    field: &[Atom<'_>],
    own: &[Own<'_>],
    delimiter: Delimiter,
    bindings: &mut Bindings,
) -> FieldMatch {
    if let (Some(text), [Own::Part(part)]) = (characters(field), own) {
        let Some(value) = part.encoding.decode(&text, delimiter) else { return FieldMatch::Never };
        bindings.bind(&part.path.root, Source::Literal(value));
        return if part.path.is_attribute() { FieldMatch::Bound } else { FieldMatch::Possible };
    }
    let all_characters =
        characters(field).is_some() && own.iter().all(|atom| matches!(atom, Own::Character(_)));
    if all_characters && field.len() != own.len() {
        return FieldMatch::Never;
    }
    for (atom, own) in field.iter().zip(own) {
        match (atom, own) {
            (Atom::Character(a), Own::Character(b)) if a == b => {}
            (Atom::Character(_), Own::Character(_)) => return FieldMatch::Never,
            (Atom::Value(piece), Own::Part(part)) if is_same_form(piece, part) => {
                if let Piece::Value { source, .. } = piece {
                    bindings.bind(&part.path.root, source.clone());
                }
            }
            (Atom::Value(piece), Own::Shard(shard)) if is_same_shard(piece, shard) => {}
            (Atom::Character(_) | Atom::Value(_), _) => return FieldMatch::Possible,
        }
    }
    if field.len() == own.len() { FieldMatch::Bound } else { FieldMatch::Possible }
}

fn characters(field: &[Atom<'_>]) -> Option<String> {
    let character = |atom: &Atom<'_>| match atom {
        Atom::Character(character) => Some(*character),
        Atom::Value(_) => None,
    };
    field.iter().map(character).collect()
}

fn is_same_form(piece: &Piece, part: &AttributePart) -> bool {
    match piece {
        Piece::Value { part: other, .. } | Piece::EachPeriod { part: other } => {
            other.encoding == part.encoding && other.path.steps == part.path.steps
        }
        Piece::Literal(_) | Piece::Beginning { .. } | Piece::Shard { .. } | Piece::EachShard(_) => {
            false
        }
    }
}

fn is_same_shard(piece: &Piece, shard: &Shard) -> bool {
    match piece {
        Piece::Shard { shard: other, .. } | Piece::EachShard(other) => {
            same_value(&Piece::EachShard(shard.clone()), &Piece::EachShard(other.clone()))
        }
        Piece::Literal(_)
        | Piece::Value { .. }
        | Piece::Beginning { .. }
        | Piece::EachPeriod { .. } => false,
    }
}

fn is_character(atom: &Atom<'_>, character: char) -> bool {
    matches!(atom, Atom::Character(c) if *c == character)
}

fn split<T>(atoms: &[T], is_delimiter: impl Fn(&T) -> bool) -> Vec<&[T]> {
    atoms.split(is_delimiter).collect()
}

fn may_hold_delimiter(atom: &Atom<'_>, delimiter: Delimiter) -> bool {
    match atom {
        Atom::Character(_) => false,
        Atom::Value(Piece::Value { part, .. } | Piece::EachPeriod { part }) => {
            part_may_hold(part, delimiter)
        }
        Atom::Value(Piece::Beginning { .. } | Piece::Literal(_)) => true,
        Atom::Value(Piece::Shard { .. } | Piece::EachShard(_)) => false,
    }
}

fn segment_may_hold(segment: &Segment, delimiter: Delimiter) -> bool {
    segment.attribute().is_some_and(|part| part_may_hold(part, delimiter))
}

fn part_may_hold(part: &AttributePart, delimiter: Delimiter) -> bool {
    let character = delimiter.character();
    match part.encoding.form() {
        Form::Text(form) => form.escaping == Escaping::Verbatim,
        Form::Plain => character == '-',
        Form::Number(_) => character == '.',
        Form::Time(_) => "-:.".contains(character),
        Form::YearFirst => character == '/',
        Form::Identifier(Identifier::Uuid | Identifier::Uuid7) => character == '-',
        Form::Identifier(Identifier::Ulid | Identifier::Ksuid) => false,
        Form::Enumeration(enumeration) => {
            enumeration.tokens().any(|(_, token)| token.contains(character))
        }
        Form::Hash(_) | Form::Bool | Form::NumberKey | Form::BinaryKey => false,
    }
}
