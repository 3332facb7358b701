//! Which types may be parts of keys, and how they may be written.
//!
//! A key sorts as its bytes do, so a part must be written in a form that sorts as its values do.
//! The derive knows the form that a template asks for, and bounds the field's type by
//! `KeyPart<Form>`: a number in a text form, or a floating point number anywhere, does not compile.

use monotable_item::Number;

use crate::attribute::{Attribute, Bytes, Timestamp, UnixSeconds};

/// Text forms: `{a}`, `{a:upper}`, `{a:ulid}`, `{a:enum(…)}` and similar.
#[derive(Debug, Clone, Copy)]
pub enum Text {}

/// Number forms: `{a:06}`, `{a:+08.2}`, `{a:plain}` and `{a:number}`.
#[derive(Debug, Clone, Copy)]
pub enum Digits {}

/// Forms that write a number without padding or a text without escaping: `{a:raw}`.
#[derive(Debug, Clone, Copy)]
pub enum Raw {}

/// Forms of moments and periods: `{a:time(s)}`, `{a:epoch(ms)}`, `{a:day}` and similar.
#[derive(Debug, Clone, Copy)]
pub enum Time {}

/// `{a:bool}`.
#[derive(Debug, Clone, Copy)]
pub enum Flag {}

/// `{a:binary}`.
#[derive(Debug, Clone, Copy)]
pub enum Binary {}

/// A type whose values can be a part of a key, in a form that sorts as they do.
///
/// Derive it for newtypes and for enums without data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of a key in the form `{Form}`",
    label = "this type has no form of that kind that sorts as its values do",
    note = "text stands as `{{a}}`, a whole number needs a width as in `{{a:010}}`, a time a form \
            such as `{{a:time(s)}}` or `{{a:day}}`, a flag `{{a:bool}}`",
    note = "newtypes and enums without data derive `KeyPart`; floating point numbers have no order \
            in keys"
)]
pub trait KeyPart<Form>: Attribute {}

impl KeyPart<Text> for String {}
impl KeyPart<Raw> for String {}
impl KeyPart<Time> for String {}
impl KeyPart<Text> for Timestamp {}
impl KeyPart<Time> for Timestamp {}
impl KeyPart<Time> for UnixSeconds {}
impl KeyPart<Digits> for UnixSeconds {}
impl KeyPart<Flag> for bool {}
impl KeyPart<Binary> for Bytes {}
impl KeyPart<Digits> for Number {}
impl KeyPart<Raw> for Number {}

macro_rules! whole_numbers {
    ($($integer:ty),+) => {$(
        impl KeyPart<Digits> for $integer {}
        impl KeyPart<Raw> for $integer {}
        impl KeyPart<Time> for $integer {}
    )+};
}

whole_numbers!(u8, u16, u32, u64, i8, i16, i32, i64);

/// An item that lacks a part of an index's key is not in the index.
impl<Form, T: KeyPart<Form>> KeyPart<Form> for Option<T> {}
