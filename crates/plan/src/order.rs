//! The order of key texts, as far as it is decided before there are values.

use std::cmp::Ordering;

use monotable_model::document::Source;
use monotable_model::template::{AttributePart, Delimiter, Form, Identifier};

use super::key_text::{KeyText, Piece};

/// How two key texts lie to each other, whatever values are put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// Everything that begins with the first lies before everything that begins with the second.
    Before,
    /// The other way round.
    After,
    /// They are the same.
    Same,
    /// The first is a proper beginning of the second.
    Beginning,
    /// The second is a proper beginning of the first.
    Continuation,
    /// It depends on the values.
    Undecided,
}

/// A character, or a value that is not known yet.
#[derive(Debug, Clone, Copy)]
pub(super) enum Atom<'t> {
    Character(char),
    Value(&'t Piece),
}

impl KeyText {
    /// The text as characters, and values that will be put in. Values that the model itself gives
    /// are characters already.
    pub(super) fn atoms(&self) -> Vec<Atom<'_>> {
        let mut atoms = Vec::new();
        for piece in self.pieces() {
            match constant(piece, self.delimiter()) {
                Some(text) => atoms.extend(text.chars().map(Atom::Character)),
                None => atoms.push(Atom::Value(piece)),
            }
        }
        atoms
    }

    /// How this text lies to another.
    pub(super) fn relation(&self, other: &KeyText) -> Relation {
        let (atoms, others) = (self.atoms(), other.atoms());
        for (atom, other) in atoms.iter().zip(&others) {
            match atom.compare(other) {
                Some(Ordering::Equal) => {}
                Some(Ordering::Less) => return Relation::Before,
                Some(Ordering::Greater) => return Relation::After,
                None => return Relation::Undecided,
            }
        }
        match atoms.len().cmp(&others.len()) {
            Ordering::Less => Relation::Beginning,
            Ordering::Equal => Relation::Same,
            Ordering::Greater => Relation::Continuation,
        }
    }

    /// The longest common beginning that ends after a delimiter or a value. Delimiters alone say
    /// nothing about what follows, so they are no beginning.
    pub(super) fn common_beginning(&self, other: &KeyText) -> KeyText {
        let delimiter = self.delimiter();
        let (atoms, others) = (self.atoms(), other.atoms());
        let same = atoms.iter().zip(&others);
        let same = same.take_while(|(a, b)| a.compare(b) == Some(Ordering::Equal)).count();
        let is_delimiter = |atom: &Atom<'_>| match atom {
            Atom::Character(character) => *character == delimiter.character(),
            Atom::Value(_) => false,
        };
        let ends_well = |atom: &Atom<'_>| matches!(atom, Atom::Value(_)) || is_delimiter(atom);
        let common = atoms.get(..same).unwrap_or_default();
        let length = common.iter().rposition(ends_well).map_or(0, |last| last + 1);
        let kept = common.get(..length).unwrap_or_default();
        if kept.iter().all(is_delimiter) {
            return KeyText::empty(delimiter);
        }
        kept.iter().fold(KeyText::empty(delimiter), |text, atom| text.with(atom.piece()))
    }
}

impl Atom<'_> {
    pub(super) fn piece(&self) -> Piece {
        match self {
            Atom::Character(character) => Piece::Literal(character.to_string()),
            Atom::Value(piece) => (*piece).clone(),
        }
    }

    /// The order of two atoms and of all that follows them, if it is decided.
    pub(super) fn compare(&self, other: &Atom<'_>) -> Option<Ordering> {
        match (self, other) {
            (Atom::Character(a), Atom::Character(b)) => Some(a.cmp(b)),
            (Atom::Value(a), Atom::Value(b)) if same_value(a, b) => Some(Ordering::Equal),
            (Atom::Character(_) | Atom::Value(_), _) => {
                let ((a_min, a_max), (b_min, b_max)) = (self.first()?, other.first()?);
                match () {
                    () if a_max < b_min => Some(Ordering::Less),
                    () if b_max < a_min => Some(Ordering::Greater),
                    () => None,
                }
            }
        }
    }

    /// The least and the greatest character that it can begin with, if that is limited.
    fn first(&self) -> Option<(char, char)> {
        match self {
            Atom::Character(character) => Some((*character, *character)),
            Atom::Value(piece) => piece_characters(piece),
        }
    }
}

/// Returns whether two pieces become the same text. The attributes may have different names.
pub(super) fn same_value(a: &Piece, b: &Piece) -> bool {
    match (a, b) {
        (
            Piece::Value { part, source },
            Piece::Value { part: other_part, source: other_source },
        )
        | (
            Piece::Beginning { part, source },
            Piece::Beginning { part: other_part, source: other_source },
        ) => {
            source == other_source
                && part.encoding == other_part.encoding
                && part.path.steps == other_part.path.steps
        }
        (Piece::EachPeriod { part }, Piece::EachPeriod { part: other }) => {
            part.encoding == other.encoding
        }
        (Piece::EachShard(shard), Piece::EachShard(other)) => {
            (shard.first(), shard.count(), shard.padding())
                == (other.first(), other.count(), other.padding())
        }
        (
            Piece::Literal(_)
            | Piece::Value { .. }
            | Piece::Beginning { .. }
            | Piece::Shard { .. }
            | Piece::EachShard(_)
            | Piece::EachPeriod { .. },
            _,
        ) => a == b,
    }
}

/// The text of a piece that does not depend on arguments.
fn constant(piece: &Piece, delimiter: Delimiter) -> Option<String> {
    match piece {
        Piece::Literal(text) => Some(text.clone()),
        Piece::Value { part, source: Source::Literal(value) } => part.encode(value, delimiter).ok(),
        Piece::Value { .. }
        | Piece::Beginning { .. }
        | Piece::Shard { .. }
        | Piece::EachShard(_)
        | Piece::EachPeriod { .. } => None,
    }
}

/// The least and the greatest character that a piece can begin with, if that is limited.
fn piece_characters(piece: &Piece) -> Option<(char, char)> {
    match piece {
        Piece::Value { part, .. } => first_characters(part),
        Piece::Shard { .. } | Piece::EachShard(_) | Piece::EachPeriod { .. } => Some(('0', '9')),
        Piece::Literal(_) | Piece::Beginning { .. } => None,
    }
}

/// The least and the greatest character that a part can begin with, if that is limited.
fn first_characters(part: &AttributePart) -> Option<(char, char)> {
    match part.encoding.form() {
        Form::Number(_) | Form::Time(_) | Form::YearFirst => Some(('0', '9')),
        Form::Plain => Some(('-', '9')),
        Form::Bool => Some(('0', '1')),
        Form::Identifier(Identifier::Ulid) => Some(('0', 'Z')),
        Form::Identifier(Identifier::Ksuid) => Some(('0', 'z')),
        Form::Identifier(Identifier::Uuid | Identifier::Uuid7) | Form::Hash(_) => Some(('0', 'f')),
        Form::Enumeration(enumeration) => {
            let firsts = || enumeration.tokens().filter_map(|(_, token)| token.chars().next());
            Some((firsts().min()?, firsts().max()?))
        }
        Form::Text(_) | Form::NumberKey | Form::BinaryKey => None,
    }
}
