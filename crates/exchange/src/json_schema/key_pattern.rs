//! A regular expression that all keys of a template match.

use monotable_model::template::{
    Bucket, Escaping, Form, Identifier, Presence, Segment, Template, TimeForm, TimeUnit,
};

/// The expression, in the dialect of ECMA-262. It allows no less than the template builds, and
/// sometimes more.
pub(crate) fn key_pattern(template: &Template) -> Option<String> {
    let segments = template.segments().iter().map(|segment| segment_pattern(template, segment));
    Some(format!("^{}$", segments.collect::<Option<String>>()?))
}

/// The same, with the segment at a place as its first group.
pub(crate) fn capturing(template: &Template, place: usize) -> Option<String> {
    let segments = template.segments().iter().enumerate().map(|(number, segment)| {
        let pattern = segment_pattern(template, segment)?;
        Some(if number == place { format!("({pattern})") } else { pattern })
    });
    Some(format!("^{}$", segments.collect::<Option<String>>()?))
}

fn segment_pattern(template: &Template, segment: &Segment) -> Option<String> {
    match segment {
        Segment::Literal(text) => Some(escaped(text)),
        Segment::Shard(_) => Some("[0-9]+".to_owned()),
        Segment::Attribute(part) => {
            let form = form(template, part.encoding.form())?;
            Some(match part.presence {
                Presence::Required => form,
                Presence::Optional => format!("(?:{form})?"),
            })
        }
    }
}

fn form(template: &Template, form: &Form) -> Option<String> {
    let digits = |count: u8| format!("[0-9]{{{count}}}");
    Some(match form {
        Form::Text(text) if text.escaping == Escaping::Delimiter => {
            format!("[^{}]+", escaped(&template.delimiter().to_string()))
        }
        Form::Text(_) => ".+".to_owned(),
        Form::Plain => "-?[0-9]+".to_owned(),
        Form::Number(number) if number.fraction_digits() == 0 => digits(number.whole_digits()),
        Form::Number(number) => {
            format!("{}\\.{}", digits(number.whole_digits()), digits(number.fraction_digits()))
        }
        Form::Time(time) => time_pattern(*time),
        Form::YearFirst => "[0-9]{4}/[0-9]{2}/[0-9]{2}".to_owned(),
        Form::Identifier(Identifier::Ulid) => "[0-9A-Z]{26}".to_owned(),
        Form::Identifier(Identifier::Ksuid) => "[0-9A-Za-z]{27}".to_owned(),
        Form::Identifier(Identifier::Uuid | Identifier::Uuid7) => "[0-9a-f-]{36}".to_owned(),
        Form::Enumeration(values) => {
            let tokens: Vec<String> = values.tokens().map(|(_, token)| escaped(token)).collect();
            format!("(?:{})", tokens.join("|"))
        }
        Form::Hash(form) => format!("[0-9a-f]{{{}}}", form.digits()),
        Form::Bool => "[01]".to_owned(),
        Form::NumberKey | Form::BinaryKey => return None,
    })
}

fn time_pattern(time: TimeForm) -> String {
    let date = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
    match time {
        TimeForm::Timestamp(unit) => {
            let fraction = match unit {
                TimeUnit::Seconds => "",
                TimeUnit::Millis => "\\.[0-9]{3}",
                TimeUnit::Micros => "\\.[0-9]{6}",
            };
            format!("{date}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}{fraction}Z")
        }
        TimeForm::Epoch(unit) => format!("[0-9]{{{}}}", unit.digits()),
        TimeForm::Bucket(Bucket::Year, _) => "[0-9]{4}".to_owned(),
        TimeForm::Bucket(Bucket::Quarter, _) => "[0-9]{4}-Q[1-4]".to_owned(),
        TimeForm::Bucket(Bucket::Month, _) => "[0-9]{4}-[0-9]{2}".to_owned(),
        TimeForm::Bucket(Bucket::Week, _) => "[0-9]{4}-W[0-9]{2}".to_owned(),
        TimeForm::Bucket(Bucket::Day, _) => date.to_owned(),
        TimeForm::Bucket(Bucket::Hour, _) => format!("{date}T[0-9]{{2}}"),
        TimeForm::Bucket(Bucket::Minutes(_) | Bucket::Minute, _) => {
            format!("{date}T[0-9]{{2}}:[0-9]{{2}}")
        }
    }
}

/// A text in which nothing has a meaning of its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\^$.|?*+()[]{}/".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
