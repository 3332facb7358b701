//! The language of each form, given the domain of the attribute.

use monotable_item::{Type, Value};

use super::super::delimiter::Delimiter;
use super::super::domain::{Domain, Domains};
use super::super::encoding::{Direction, Encoding, Form};
use super::super::identifier::{Identifier, KSUID_MAX};
use super::super::key_template::Template;
use super::super::mirror::Alphabet;
use super::super::number_form::{DIGITS_MAX, NumberForm};
use super::super::segment::{Presence, Segment};
use super::super::shard::{Padding, Shard};
use super::super::text_form::{Escaping, TextForm};
use super::automaton::Automaton;
use super::calendar::{dates, time_language};
use super::char_set::CharSet;
use super::numerals::{fixed_between, padded_between, plain_between};

/// Up to this many characters, bounds on the length of a text are exact whatever is done to it.
const EXACT_CHARS_MAX: usize = 16;

/// The keys of a template. States know which segment they belong to. A key that is not text has no
/// language.
pub(crate) fn template_language(template: &Template, domains: &Domains) -> Automaton {
    let segments = template.segments().iter();
    let parts: Vec<Automaton> =
        segments.map(|segment| segment_language(segment, domains, template.delimiter())).collect();
    Automaton::concat(&parts)
}

/// The texts of a segment.
pub(crate) fn segment_language(
    segment: &Segment,
    domains: &Domains,
    delimiter: Delimiter,
) -> Automaton {
    match segment {
        Segment::Literal(text) => Automaton::literal(text),
        Segment::Attribute(part) => {
            let language = encoding_language(&part.encoding, domains.get(&part.path), delimiter);
            match part.presence {
                Presence::Required => language,
                Presence::Optional => Automaton::union([language, Automaton::literal("")]),
            }
        }
        Segment::Shard(shard) => shard_language(shard),
    }
}

/// The bytes of the longest text of a segment, unless there is no limit.
pub(crate) fn segment_bytes_max(
    segment: &Segment,
    domains: &Domains,
    delimiter: Delimiter,
) -> Option<usize> {
    let text = segment.attribute().and_then(|part| {
        match (part.encoding.form(), domains.get(&part.path)) {
            (Form::Text(form), Some(Domain::Text { characters, max_chars, max_bytes, .. }))
                if form.first().is_none() =>
            {
                Some((form, characters, *max_chars, *max_bytes))
            }
            _ => None,
        }
    });
    let Some((form, characters, max_chars, max_bytes)) = text else {
        return segment_language(segment, domains, delimiter).longest_bytes();
    };
    // Each character can be the one that becomes longest.
    let each = |characters: CharSet| {
        let one = Domain::text_of(characters, Some(1));
        text_language(form, Some(&one), delimiter).longest_bytes()
    };
    let Some(max_bytes) = max_bytes else {
        return max_chars.zip(each(characters.clone())).map(|(max, each)| max * each);
    };
    let of_width = |(width, range): (usize, (char, char))| {
        let characters = characters.intersection(&CharSet::from_ranges([range]));
        each(characters).map(|each| max_bytes * each / width)
    };
    CHARACTERS_BY_WIDTH.into_iter().filter_map(of_width).max()
}

/// The characters that UTF-8 writes in so many bytes.
const CHARACTERS_BY_WIDTH: [(usize, (char, char)); 4] = [
    (1, ('\0', '\u{7f}')),
    (2, ('\u{80}', '\u{7ff}')),
    (3, ('\u{800}', '\u{ffff}')),
    (4, ('\u{10000}', char::MAX)),
];

fn encoding_language(
    encoding: &Encoding,
    domain: Option<&Domain>,
    delimiter: Delimiter,
) -> Automaton {
    if let Some(language) = enumerated_language(encoding, domain, delimiter) {
        return language;
    }
    let language = form_language(encoding.form(), domain, delimiter);
    match (encoding.direction(), encoding.form().alphabet()) {
        (Direction::Descending, Some(alphabet)) => mirrored(&language, alphabet),
        (Direction::Descending, None) | (Direction::Ascending, _) => language,
    }
}

/// The texts of the values that are declared, if values are.
fn enumerated_language(
    encoding: &Encoding,
    domain: Option<&Domain>,
    delimiter: Delimiter,
) -> Option<Automaton> {
    let Some(Domain::Values(values)) = domain else { return None };
    let texts = values
        .iter()
        .filter_map(|value| encoding.encode(&Value::String(value.clone()), delimiter).ok());
    let takes_texts = encoding.value_types().contains(&Type::String);
    takes_texts.then(|| Automaton::union(texts.map(|text| Automaton::literal(&text))))
}

fn form_language(form: &Form, domain: Option<&Domain>, delimiter: Delimiter) -> Automaton {
    match form {
        Form::Text(form) => text_language(form, domain, delimiter),
        Form::Plain => plain_language(domain),
        Form::Number(form) => number_language(form, domain),
        Form::Time(form) => time_language(*form),
        Form::YearFirst => dates("/"),
        Form::Identifier(kind) => identifier_language(*kind),
        Form::Enumeration(enumeration) => {
            let tokens = enumeration.tokens();
            Automaton::union(tokens.map(|(_, token)| Automaton::literal(token)))
        }
        Form::Hash(form) => {
            let digits = CharSet::of(Alphabet::Hexadecimal.characters());
            Automaton::repeat(&digits, form.width(), Some(form.width()))
        }
        Form::Bool => Automaton::sequence([CharSet::of("01")]),
        Form::NumberKey | Form::BinaryKey => Automaton::nothing(),
    }
}

fn text_language(form: &TextForm, domain: Option<&Domain>, delimiter: Delimiter) -> Automaton {
    let normalised = match domain {
        None | Some(Domain::Values(_)) => any_number(form, &CharSet::all()),
        Some(Domain::Integers { min, max }) => {
            normalise(form, plain_between((*min).into(), (*max).into()))
        }
        Some(Domain::Text { characters, max_chars: None, .. }) => any_number(form, characters),
        Some(Domain::Text { characters, min_chars, max_chars: Some(max), .. }) => {
            bounded(form, characters, *min_chars, *max)
        }
    };
    let written = match form.escaping {
        Escaping::Delimiter => normalised.escaped(delimiter),
        Escaping::Verbatim => normalised,
    };
    written.without_empty()
}

fn normalise(form: &TextForm, source: Automaton) -> Automaton {
    form.steps.iter().fold(source, |source, step| source.after_step(*step))
}

fn any_number(form: &TextForm, characters: &CharSet) -> Automaton {
    normalise(form, Automaton::repeat(characters, 1, None))
}

/// Where steps lengthen a text, as many states as characters would each lead to all others. Beyond
/// a few characters the length is therefore bounded after the steps, by the most that they can make
/// of it: the language is then a little too large, so that a *no* remains proof.
fn bounded(form: &TextForm, characters: &CharSet, min: usize, max: usize) -> Automaton {
    let growth = form.steps.iter().map(|step| step.growth(characters)).max().unwrap_or(1);
    let vanishes = form.steps.iter().any(|step| step.shortens(characters));
    if growth == 1 && !vanishes || max <= EXACT_CHARS_MAX {
        return normalise(form, Automaton::repeat(characters, min, Some(max)));
    }
    let most = Automaton::repeat(&CharSet::all(), 1, Some(max * growth));
    any_number(form, characters).intersection(&most)
}

fn plain_language(domain: Option<&Domain>) -> Automaton {
    let most = 10_i128.pow(u32::from(DIGITS_MAX)) - 1;
    match domain {
        Some(Domain::Integers { min, max }) => plain_between((*min).into(), (*max).into()),
        Some(Domain::Text { .. } | Domain::Values(_)) | None => plain_between(-most, most),
    }
}

/// Whole numbers leave nothing but zeros after the point.
fn number_language(form: &NumberForm, domain: Option<&Domain>) -> Automaton {
    let fraction = usize::from(form.fraction_digits());
    let (range, after_point) = match domain {
        Some(Domain::Integers { min, max }) => {
            let zeros = Automaton::literal(&"0".repeat(fraction));
            (Some(((*min).into(), (*max).into())), zeros)
        }
        Some(Domain::Text { .. } | Domain::Values(_)) | None => {
            (None, Automaton::repeat(&CharSet::digits(), fraction, Some(fraction)))
        }
    };
    let (low, high) = form.whole_codes(range);
    let whole = padded_between(low, high, usize::from(form.whole_digits()));
    match fraction {
        0 => whole,
        _ => Automaton::concat(&[whole, Automaton::literal("."), after_point]),
    }
}

fn identifier_language(kind: Identifier) -> Automaton {
    match kind {
        Identifier::Ksuid => {
            let alphabet = CharSet::of(Alphabet::Base62.characters());
            fixed_between(&alphabet, &"0".repeat(KSUID_MAX.len()), KSUID_MAX)
        }
        Identifier::Ulid | Identifier::Uuid | Identifier::Uuid7 => {
            Automaton::sequence(kind.shape().into_iter().map(CharSet::of))
        }
    }
}

fn shard_language(shard: &Shard) -> Automaton {
    let (low, high) = (i128::from(*shard.numbers().start()), i128::from(*shard.numbers().end()));
    match shard.padding() {
        Padding::Zeros => padded_between(low, high, shard.width()),
        Padding::None => plain_between(low, high),
    }
}

fn mirrored(language: &Automaton, alphabet: Alphabet) -> Automaton {
    let characters = alphabet.characters().chars();
    language.mapped(&characters.map(|c| (c, vec![alphabet.mirror(c)])).collect())
}
