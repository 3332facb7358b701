//! What stands between braces: a path with encodings, or a shard.

use monotable_item::{Path, Step};

use super::super::segment::{AttributePart, Presence, Segment};
use super::super::shard::{Padding, Shard, ShardInput, ShardRule};
use super::error::{SyntaxError, SyntaxErrorKind};
use super::span::Piece;
use super::{encoding, parse_piece};

/// Characters that mean something in a template and so cannot be part of a name.
const RESERVED: &str = "{}:.[](),\"!=";

const SHARD_USAGE: &str =
    "shard(input, count) or shard(input, count, first), also with shard_sum and shard_mod";
const SHARD_ANY_USAGE: &str = "shard_any(count) or shard_any(count, first)";

pub(super) fn parse(piece: Piece<'_>) -> Result<Segment, SyntaxError> {
    let mut pieces = piece.split(':').into_iter().map(Piece::trim);
    let subject = pieces.next().unwrap_or(piece);
    let encodings: Vec<Piece<'_>> = pieces.collect();
    match subject.call()? {
        (path, None) => {
            let path = parse_path(path)?;
            let (presence, encodings) = split_presence(&encodings);
            let encoding = encoding::parse(encodings)?;
            Ok(Segment::Attribute(AttributePart { path, encoding, presence }))
        }
        (name, Some(arguments)) => {
            let padding = parse_padding(&encodings)?;
            parse_shard(subject, name, &arguments, padding).map(Segment::Shard)
        }
    }
}

/// `optional` is the last word of a part.
fn split_presence<'p, 't>(encodings: &'p [Piece<'t>]) -> (Presence, &'p [Piece<'t>]) {
    match encodings.split_last() {
        Some((last, others)) if last.text == "optional" => (Presence::Optional, others),
        Some(_) | None => (Presence::Required, encodings),
    }
}

fn parse_path(piece: Piece<'_>) -> Result<Path, SyntaxError> {
    path_of(piece.text).ok_or_else(|| piece.error(SyntaxErrorKind::BadPath))
}

fn path_of(text: &str) -> Option<Path> {
    let (root, mut rest) = split_name(text)?;
    let mut path = Path::attribute(root);
    while !rest.is_empty() {
        let (step, after) = if let Some(member) = rest.strip_prefix('.') {
            let (name, after) = split_name(member)?;
            (Step::Member(name.to_owned()), after)
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            let digits = index.bytes().all(|b| b.is_ascii_digit());
            (Step::Index(index.parse().ok().filter(|_| digits)?), after)
        };
        path.steps.push(step);
        rest = after;
    }
    Some(path)
}

/// A name up to the next `.` or `[`.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_at(text.find(['.', '[']).unwrap_or(text.len()));
    let is_plain = |c: char| !RESERVED.contains(c) && !c.is_whitespace();
    (!name.is_empty() && name.chars().all(is_plain)).then_some((name, rest))
}

fn parse_padding(encodings: &[Piece<'_>]) -> Result<Padding, SyntaxError> {
    match encodings {
        [] => Ok(Padding::Zeros),
        [plain] if plain.text == "plain" => Ok(Padding::None),
        [other, ..] => {
            Err(other.error(SyntaxErrorKind::BadArguments { usage: "plain, or nothing" }))
        }
    }
}

fn parse_shard(
    whole: Piece<'_>,
    name: Piece<'_>,
    arguments: &[Piece<'_>],
    padding: Padding,
) -> Result<Shard, SyntaxError> {
    let calculated: fn(ShardInput) -> ShardRule = match name.text {
        "shard" => ShardRule::Hash,
        "shard_sum" => ShardRule::CodePointSum,
        "shard_mod" => ShardRule::Modulus,
        "shard_any" => {
            let shard = shard_of(ShardRule::Chosen, arguments, padding);
            return shard.ok_or_else(|| bad_arguments(whole, SHARD_ANY_USAGE));
        }
        unknown => {
            return Err(name.error(SyntaxErrorKind::UnknownFunction { name: unknown.to_owned() }));
        }
    };
    let (input, numbers) =
        arguments.split_first().ok_or_else(|| bad_arguments(whole, SHARD_USAGE))?;
    let rule = calculated(parse_input(*input)?);
    shard_of(rule, numbers, padding).ok_or_else(|| bad_arguments(whole, SHARD_USAGE))
}

/// A shard of `count`, or of `count, first`.
fn shard_of(rule: ShardRule, numbers: &[Piece<'_>], padding: Padding) -> Option<Shard> {
    let number = |piece: &Piece<'_>| piece.text.parse::<u32>().ok();
    match numbers {
        [count] => Shard::new(rule, number(count)?, 0, padding),
        [count, first] => Shard::new(rule, number(count)?, number(first)?, padding),
        _ => None,
    }
}

fn parse_input(piece: Piece<'_>) -> Result<ShardInput, SyntaxError> {
    match piece.text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        None => Ok(ShardInput::Attribute(parse_path(piece)?)),
        Some(inside) => {
            let inside = piece.skip(1).take(inside.len());
            let template = parse_piece(inside)?;
            if template.segments().iter().any(Segment::is_optional) {
                return Err(inside.error(SyntaxErrorKind::OptionalPlace));
            }
            Ok(ShardInput::Template(Box::new(template)))
        }
    }
}

fn bad_arguments(piece: Piece<'_>, usage: &'static str) -> SyntaxError {
    piece.error(SyntaxErrorKind::BadArguments { usage })
}
