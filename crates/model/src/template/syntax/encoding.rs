//! The encodings after a path, read from left to right.

use super::super::encoding::{Encoding, Form};
use super::super::enumeration::Enumeration;
use super::super::hash_form::{HASH_DIGITS_MAX, HashForm};
use super::super::identifier::Identifier;
use super::super::minute_window::MinuteWindow;
use super::super::number_form::{NumberForm, Sign};
use super::super::text_form::{Escaping, TextForm, TextStep};
use super::super::time_form::{Bucket, EpochUnit, TimeForm, TimeUnit};
use super::super::vocabulary::ENCODINGS;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::span::Piece;

/// Every encoding that has a name.
fn names() -> impl Iterator<Item = &'static str> {
    ENCODINGS.iter().map(|word| word.name).filter(|name| !name.is_empty())
}

const HASH_USAGE: &str = "hash, or hash(n) with n from 1 to 64";

/// What encodings are called elsewhere, and here.
const OTHER_NAMES: [(&str, &str); 29] = [
    ("lower", "fold"),
    ("lowercase", "fold"),
    ("downcase", "fold"),
    ("uppercase", "upper"),
    ("upcase", "upper"),
    ("kebab", "slug"),
    ("reverse", "reversed"),
    ("string", "raw"),
    ("text", "raw"),
    ("verbatim", "raw"),
    ("int", "plain"),
    ("integer", "plain"),
    ("iso", "time(s)"),
    ("iso8601", "time(s)"),
    ("rfc3339", "time(s)"),
    ("timestamp", "time(s)"),
    ("datetime", "time(s)"),
    ("date", "day"),
    ("unix", "epoch(s)"),
    ("uuidv7", "uuid7"),
    ("boolean", "bool"),
    ("descending", "desc"),
    ("prefix", "first(n)"),
    ("left", "first(n)"),
    ("truncate", "first(n)"),
    ("geohash", "first(n)"),
    ("sha256", "hash"),
    ("digest", "hash"),
    ("nullable", "optional"),
];

/// One encoding as it is written.
enum Word {
    Step(TextStep),
    Raw,
    Hash(u8),
    Form(Form),
    Descending(Option<i64>),
}

pub(super) fn parse(pieces: &[Piece<'_>]) -> Result<Encoding, SyntaxError> {
    let mut encoding = Encoding::ascending(Form::Text(TextForm::escaped()));
    for (place, piece) in pieces.iter().enumerate() {
        let word = parse_word(*piece)?;
        encoding = apply(place, word, &encoding).map_err(|kind| piece.error(kind))?;
    }
    Ok(encoding)
}

/// Text steps follow each other, anything else comes first, and `desc` follows a fixed width.
fn apply(place: usize, word: Word, so_far: &Encoding) -> Result<Encoding, SyntaxErrorKind> {
    match (word, so_far.form()) {
        (Word::Step(step), Form::Text(text)) if text.escaping == Escaping::Delimiter => {
            check_step(step, text)?;
            let mut text = text.clone();
            text.steps.push(step);
            Ok(Encoding::ascending(Form::Text(text)))
        }
        (Word::Raw, Form::Text(text)) if text.escaping == Escaping::Delimiter => {
            let text = TextForm { escaping: Escaping::Verbatim, ..text.clone() };
            Ok(Encoding::ascending(Form::Text(text)))
        }
        (Word::Hash(digits), Form::Text(text)) if text.escaping == Escaping::Delimiter => {
            HashForm::new(text.steps.clone(), digits)
                .map(|form| Encoding::ascending(Form::Hash(form)))
                .ok_or(SyntaxErrorKind::BadArguments { usage: HASH_USAGE })
        }
        (Word::Form(form), _) if place == 0 => Ok(Encoding::ascending(form)),
        (Word::Descending(total), form) if !so_far.sorts_descending() => {
            descending(form, total).ok_or(cannot_follow("desc", form))
        }
        (Word::Step(_), form) => Err(cannot_follow("a step of text", form)),
        (Word::Raw, form) => Err(cannot_follow("raw", form)),
        (Word::Hash(_), form) => Err(cannot_follow("hash", form)),
        (Word::Form(_), form) => Err(cannot_follow("another encoding", form)),
        (Word::Descending(_), form) => Err(cannot_follow("desc", form)),
    }
}

/// A text is cut last, and not inside a run of digits that was padded: what is read of a key would
/// build another one.
fn check_step(step: TextStep, text: &TextForm) -> Result<(), SyntaxErrorKind> {
    let is_padded = text.steps.iter().any(|step| matches!(step, TextStep::Digits(_)));
    match step {
        _ if text.first().is_some() => {
            Err(SyntaxErrorKind::CannotFollow { name: "a step of text", after: "first" })
        }
        TextStep::First(_) if is_padded => {
            Err(SyntaxErrorKind::CannotFollow { name: "first", after: "digits" })
        }
        TextStep::Fold
        | TextStep::Upper
        | TextStep::Slug
        | TextStep::Snake
        | TextStep::Digits(_)
        | TextStep::Reversed
        | TextStep::First(_) => Ok(()),
    }
}

fn descending(form: &Form, total: Option<i64>) -> Option<Encoding> {
    match (form, total) {
        (form, None) => Encoding::descending(form.clone()),
        (Form::Number(number), Some(total)) => {
            Some(Encoding::ascending(Form::Number(number.subtracted_from(total)?)))
        }
        (_, Some(_)) => None,
    }
}

fn cannot_follow(name: &'static str, form: &Form) -> SyntaxErrorKind {
    let after = match form {
        Form::Text(text) if text.escaping == Escaping::Verbatim => "raw",
        Form::Text(_) => "text",
        Form::Plain => "plain",
        Form::Number(_) => "a number of fixed width",
        Form::Time(_) => "a time",
        Form::YearFirst => "ymd",
        Form::Identifier(kind) => kind.code(),
        Form::Enumeration(_) => "enum",
        Form::Hash(_) => "hash",
        Form::Bool => "bool",
        Form::NumberKey => "number",
        Form::BinaryKey => "binary",
    };
    SyntaxErrorKind::CannotFollow { name, after }
}

fn parse_word(piece: Piece<'_>) -> Result<Word, SyntaxError> {
    if piece.text.starts_with(|c: char| c == '+' || c.is_ascii_digit()) {
        let form = number_form(piece.text).ok_or_else(|| piece.error(SyntaxErrorKind::BadWidth))?;
        return Ok(Word::Form(Form::Number(form)));
    }
    let (name, arguments) = piece.call()?;
    let word = match (name.text, arguments.as_deref()) {
        (name, None) => bare_word(name),
        (name, Some(arguments)) => called_word(name, arguments),
    };
    word.ok_or_else(|| piece.error(wrong_word(name.text)))
}

/// `06`, `+06`, `08.2` or `+08.2`, where the width counts the point.
fn number_form(text: &str) -> Option<NumberForm> {
    let (sign, unsigned) = match text.strip_prefix('+') {
        Some(rest) => (Sign::Offset, rest),
        None => (Sign::Unsigned, text),
    };
    let width = unsigned.strip_prefix('0')?;
    let Some((width, fraction)) = width.split_once('.') else {
        return NumberForm::whole(sign, width.parse().ok()?);
    };
    let fraction: u8 = fraction.parse().ok().filter(|fraction| *fraction > 0)?;
    let whole = width.parse::<u8>().ok()?.checked_sub(fraction)?.checked_sub(1)?;
    NumberForm::decimal(sign, whole, fraction)
}

fn bare_word(name: &str) -> Option<Word> {
    let step = |step| Some(Word::Step(step));
    let form = |form| Some(Word::Form(form));
    match name {
        "fold" => step(TextStep::Fold),
        "upper" => step(TextStep::Upper),
        "slug" => step(TextStep::Slug),
        "snake" => step(TextStep::Snake),
        "reversed" => step(TextStep::Reversed),
        "raw" => Some(Word::Raw),
        "hash" => Some(Word::Hash(HASH_DIGITS_MAX)),
        "plain" => form(Form::Plain),
        "ymd" => form(Form::YearFirst),
        "bool" => form(Form::Bool),
        "number" => form(Form::NumberKey),
        "binary" => form(Form::BinaryKey),
        "desc" => Some(Word::Descending(None)),
        _ => identifier(name)
            .map(Form::Identifier)
            .or_else(|| {
                let bucket = bucket(name)?;
                Some(Form::Time(TimeForm::Bucket(bucket, TimeUnit::Seconds)))
            })
            .map(Word::Form),
    }
}

fn called_word(name: &str, arguments: &[Piece<'_>]) -> Option<Word> {
    let time = |form| Some(Word::Form(Form::Time(form)));
    match (name, arguments) {
        ("digits", [width]) => {
            let width = width.text.parse().ok().filter(|width| (1..=38).contains(width))?;
            Some(Word::Step(TextStep::Digits(width)))
        }
        ("first", [count]) => {
            let count = count.text.parse().ok().filter(|count| *count > 0)?;
            Some(Word::Step(TextStep::First(count)))
        }
        ("hash", [digits]) => Some(Word::Hash(digits.text.parse().ok()?)),
        ("minutes", [minutes]) => time(minute_window(minutes, TimeUnit::Seconds)?),
        ("minutes", [minutes, unit]) => time(minute_window(minutes, time_unit(unit.text)?)?),
        ("time", [unit]) => time(TimeForm::Timestamp(time_unit(unit.text)?)),
        ("epoch", [unit]) => time(TimeForm::Epoch(epoch_unit(unit.text)?)),
        ("enum", tokens) => Some(Word::Form(Form::Enumeration(Enumeration::new(
            tokens.iter().map(token).collect(),
        )?))),
        ("desc", [total]) => Some(Word::Descending(Some(total.text.parse().ok()?))),
        (name, [unit]) => time(TimeForm::Bucket(bucket(name)?, time_unit(unit.text)?)),
        _ => None,
    }
}

fn minute_window(minutes: &Piece<'_>, unit: TimeUnit) -> Option<TimeForm> {
    let window = MinuteWindow::new(minutes.text.parse().ok()?)?;
    Some(TimeForm::Bucket(Bucket::Minutes(window), unit))
}

/// `value=token`, or a value that is its own token.
fn token(piece: &Piece<'_>) -> (String, String) {
    let (value, token) = piece.text.split_once('=').unwrap_or((piece.text, piece.text));
    (value.trim().to_owned(), token.trim().to_owned())
}

fn time_unit(code: &str) -> Option<TimeUnit> {
    [TimeUnit::Seconds, TimeUnit::Millis, TimeUnit::Micros].into_iter().find(|u| u.code() == code)
}

fn epoch_unit(code: &str) -> Option<EpochUnit> {
    [EpochUnit::Seconds, EpochUnit::Millis].into_iter().find(|u| u.unit().code() == code)
}

fn identifier(code: &str) -> Option<Identifier> {
    [Identifier::Ulid, Identifier::Ksuid, Identifier::Uuid, Identifier::Uuid7]
        .into_iter()
        .find(|kind| kind.code() == code)
}

fn bucket(code: &str) -> Option<Bucket> {
    let buckets = [
        Bucket::Year,
        Bucket::Quarter,
        Bucket::Month,
        Bucket::Week,
        Bucket::Day,
        Bucket::Hour,
        Bucket::Minute,
    ];
    buckets.into_iter().find(|bucket| bucket.code() == code)
}

/// A known name was given wrong arguments; any other may be a slip of the pen.
fn wrong_word(name: &str) -> SyntaxErrorKind {
    match usage(name) {
        Some(usage) => SyntaxErrorKind::BadArguments { usage },
        None => {
            SyntaxErrorKind::UnknownEncoding { name: name.to_owned(), suggestion: suggestion(name) }
        }
    }
}

/// What was probably meant.
fn suggestion(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let other = OTHER_NAMES.into_iter().find(|(other, _)| *other == lower);
    let near = || names().find(|known| is_near(name, known));
    other.map(|(_, known)| known).or_else(near)
}

fn usage(name: &str) -> Option<&'static str> {
    match name {
        "digits" => Some("digits(n), with n from 1 to 38"),
        "time" => Some("time(s), time(ms) or time(us)"),
        "epoch" => Some("epoch(s) or epoch(ms)"),
        "enum" => Some("enum(A, B) or enum(a=1, b=2), with distinct values and tokens"),
        "desc" => Some("desc, or desc(total) after a whole number"),
        "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" => {
            Some("a unit such as day(ms), or none")
        }
        "minutes" => Some("minutes(5) or minutes(5, ms), with a part of an hour from 2 to 30"),
        "first" => Some("first(n), with n from 1 to 255"),
        "hash" => Some(HASH_USAGE),
        "optional" => Some("optional as the last word, and once"),
        _ => names().find(|known| *known == name).map(|_| "no arguments"),
    }
}

/// Whether one letter too many, too few, wrong or of the wrong case would explain the name.
fn is_near(name: &str, known: &str) -> bool {
    let name = name.to_lowercase();
    let common = name.chars().zip(known.chars()).take_while(|(a, b)| a == b).count();
    let tail = |text: &str, skipped: usize| text.chars().skip(common + skipped).collect::<String>();
    let one_apart = [(1, 0), (0, 1), (1, 1)];
    name == known || one_apart.iter().any(|(a, b)| tail(&name, *a) == tail(known, *b))
}
