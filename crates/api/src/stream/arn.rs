//! Amazon resource names of streams: that of the table, and the stream's label.

use monotable_database::stream::StreamSchema;

use crate::render::stream_label::stream_label;
use crate::validate::table_name::is_of_pattern;

/// What names a stream: two streams of one table never have the same label, nor do those of tables
/// that had the same name one after the other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StreamName {
    /// The table's name.
    pub(crate) table: String,
    /// The moment the stream began, as text; texts order as moments do.
    pub(crate) label: String,
}

impl StreamName {
    /// The name of a stream.
    pub(crate) fn of(stream: &StreamSchema) -> StreamName {
        StreamName { table: stream.table_name.clone(), label: stream_label(stream.created_millis) }
    }

    /// The name in an ARN, if it is the ARN of a stream. As with tables, region and account do not
    /// matter.
    pub(crate) fn parse(arn: &str) -> Option<StreamName> {
        let parts: Vec<&str> = arn.splitn(6, ':').collect();
        let ["arn", _, "dynamodb", _, _, resource] = parts.as_slice() else { return None };
        let (table, label) = resource.strip_prefix("table/")?.split_once("/stream/")?;
        let is_label = !label.is_empty() && !label.contains('/');
        (is_of_pattern(table) && is_label)
            .then(|| StreamName { table: table.to_owned(), label: label.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_names_the_table_and_the_label() {
        let arn = "arn:aws:dynamodb:eu-west-1:1:table/shop/stream/2026-11-15T12:00:00.250";
        let name = StreamName::parse(arn).unwrap();
        assert_eq!((name.table.as_str(), name.label.as_str()), ("shop", "2026-11-15T12:00:00.250"));
    }

    #[test]
    fn other_texts_name_no_stream() {
        for text in [
            "",
            "arn:aws:dynamodb:eu-west-1:1:table/shop",
            "arn:aws:dynamodb:eu-west-1:1:table/shop/stream/",
            "arn:aws:dynamodb:eu-west-1:1:table/sh op/stream/x",
            "arn:aws:kinesis:eu-west-1:1:table/shop/stream/x",
            "arn:aws:dynamodb:eu-west-1:1:table/shop/index/x",
            "kossaapaaasdafsdaasdasdasdasasdasfadfadfasdasdas",
        ] {
            assert_eq!(StreamName::parse(text), None, "{text}");
        }
    }
}
