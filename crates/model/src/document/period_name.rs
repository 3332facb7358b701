//! Names of tables of which there is one for each period: `events_{created_at:month}`.
//!
//! The name is a key template with one part, a period of the calendar. Whoever knows the time of an
//! item knows its table, and a range of times is a list of tables.

use monotable_item::{Item, Value};
use thiserror::Error;

use crate::template::{
    AttributePart, Attributes, Bucket, BuildError, Direction, Form, Presence, Segment, Template,
    TimeForm,
};

/// The name of a table for each period.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodName {
    template: Template,
    text: String,
    part: AttributePart,
    bucket: Bucket,
}

/// Why a template is not the name of a table for each period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PeriodNameError {
    /// There is no part, or there are several.
    #[error("the name of a table holds one attribute, and that is a period")]
    NotOnePart,
    /// The part is no period.
    #[error(
        "the attribute in the name of a table is a period: write {{at:month}}, or year, quarter, \
         week, day or hour"
    )]
    NoPeriod,
    /// The period has a colon, which no table's name can hold.
    #[error("a minute has a colon, which the name of a table cannot hold: use hour or longer")]
    TooFine,
    /// The period is turned round or may be left out.
    #[error("a period in the name of a table is neither desc nor optional")]
    Modified,
}

impl PeriodName {
    /// The name that a template is.
    pub fn new(template: Template) -> Result<PeriodName, PeriodNameError> {
        let is_literal = |segment: &&Segment| matches!(segment, Segment::Literal(_));
        let mut parts = template.segments().iter().filter(|segment| !is_literal(segment));
        let (Some(Segment::Attribute(part)), None) = (parts.next(), parts.next()) else {
            return Err(PeriodNameError::NotOnePart);
        };
        let Form::Time(TimeForm::Bucket(bucket, _)) = part.encoding.form() else {
            return Err(PeriodNameError::NoPeriod);
        };
        if matches!(bucket, Bucket::Minutes(_) | Bucket::Minute) {
            return Err(PeriodNameError::TooFine);
        }
        let is_plain = part.presence == Presence::Required
            && part.encoding.direction() == Direction::Ascending;
        if !is_plain {
            return Err(PeriodNameError::Modified);
        }
        let (part, bucket) = (part.clone(), *bucket);
        Ok(PeriodName { text: template.to_string(), template, part, bucket })
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// The template as it is written: `events_{created_at:month}`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The attribute that says the period, and how it is written.
    pub fn part(&self) -> &AttributePart {
        &self.part
    }

    /// How long a period is.
    pub fn bucket(&self) -> Bucket {
        self.bucket
    }

    /// The name of the table that an item is in, by its attributes as the model calls them.
    pub fn of<A: Attributes + ?Sized>(&self, attributes: &A) -> Result<String, BuildError> {
        let delimiter = self.template.delimiter();
        let segments = self.template.segments().iter();
        segments.map(|segment| segment.build(attributes, delimiter)).collect()
    }

    /// The name of the table of a moment: RFC 3339, a date, or a number of seconds.
    pub fn at(&self, moment: Value) -> Result<String, BuildError> {
        let mut attributes = Item::new();
        attributes.insert(self.part.path.root.clone(), moment);
        self.of(&attributes)
    }

    /// The name of the table of a period, as [`Bucket`] writes it.
    pub fn of_period(&self, period: &str) -> String {
        let text = |segment: &Segment| match segment {
            Segment::Literal(text) => text.clone(),
            Segment::Attribute(_) | Segment::Shard(_) => period.to_owned(),
        };
        self.template.segments().iter().map(text).collect()
    }

    /// The period in the name of a table, if the name is one of these.
    pub fn period_in<'n>(&self, name: &'n str) -> Option<&'n str> {
        let mut literals = [String::new(), String::new()];
        let mut side = 0;
        for segment in self.template.segments() {
            match segment {
                Segment::Literal(text) => literals.get_mut(side)?.push_str(text),
                Segment::Attribute(_) | Segment::Shard(_) => side = 1,
            }
        }
        let [before, after] = &literals;
        let period = name.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?;
        self.part.encoding.decode(period, self.template.delimiter())?;
        Some(period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Result<PeriodName, PeriodNameError> {
        PeriodName::new(Template::parse(text).unwrap())
    }

    #[test]
    fn the_time_of_an_item_names_its_table_and_the_name_its_period() {
        let events = name("app.events_{at:month}-v2").unwrap();
        let built = events.at(Value::from("2026-01-03T10:17:06Z")).unwrap();
        assert_eq!(built, "app.events_2026-01-v2");
        assert_eq!(events.of_period("2026-01"), built);
        assert_eq!(events.period_in(&built), Some("2026-01"));
        for other in ["app.events_2026-13-v2", "app.events_2026-01", "app.events_-v2", "app"] {
            assert_eq!(events.period_in(other), None, "{other}");
        }
        assert_eq!(events.text(), "app.events_{at:month}-v2");
    }

    #[test]
    fn only_one_period_that_a_name_can_hold_makes_a_name() {
        for (text, error) in [
            ("events", PeriodNameError::NotOnePart),
            ("{at:year}_{at:month}", PeriodNameError::NotOnePart),
            ("events_{shard_any(4)}", PeriodNameError::NotOnePart),
            ("{tenant}_events", PeriodNameError::NoPeriod),
            ("events_{at:minute}", PeriodNameError::TooFine),
            ("events_{at:minutes(5)}", PeriodNameError::TooFine),
            ("events_{at:month:desc}", PeriodNameError::Modified),
            ("events_{at:month:optional}", PeriodNameError::Modified),
        ] {
            assert_eq!(name(text).unwrap_err(), error, "{text}");
        }
    }
}
