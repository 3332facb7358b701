//! ResourceArn: the table or stream that a call on tags or policies is about.

use monotable_item::limits::{NAME_LENGTH_MAX, NAME_LENGTH_MIN};

use super::constraint::{Violations, length_violation};
use super::resource_policy::PolicySubject;
use super::table_name::{TableName, is_of_pattern};
use crate::error::ApiError;

/// The longest name of a resource.
const ARN_LENGTH_MAX: usize = 1283;

/// What an ARN names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceArn<'r> {
    /// A table.
    Table(TableName<'r>),
    /// A stream of a table.
    Stream {
        /// The ARN.
        arn: &'r str,
        /// The table that it is a stream of.
        table: &'r str,
        /// Its label.
        label: &'r str,
    },
}

impl<'r> ResourceArn<'r> {
    /// What an ARN names. Neither its region nor its partition is looked at, as elsewhere.
    pub(crate) fn read(arn: &'r Option<String>) -> Result<ResourceArn<'r>, ApiError> {
        let arn = arn.as_deref().ok_or_else(|| ApiError::validation("Invalid TableArn"))?;
        let mut violations = Violations::default();
        violations.extend(length_violation(arn, "resourceArn", 1, ARN_LENGTH_MAX));
        violations.finish()?;
        if !arn.starts_with("arn:") {
            return Err(ApiError::parameter(format!("ARNs must start with 'arn:': {arn}")));
        }
        let foreign =
            || ApiError::parameter(format!("Provided Arn is not a DynamoDB resource arn: {arn}"));
        let parts: Vec<&str> = arn.splitn(6, ':').collect();
        let ["arn", _, "dynamodb", _, _, path] = parts.as_slice() else { return Err(foreign()) };
        let path = path.strip_prefix("table/").ok_or_else(foreign)?;
        let (table, part) = path.split_once('/').map_or((path, None), |(t, p)| (t, Some(p)));
        if !is_of_pattern(table) || !(NAME_LENGTH_MIN..=NAME_LENGTH_MAX).contains(&table.len()) {
            return Err(ApiError::parameter(format!("Invalid resource Arn: {arn}")));
        }
        match part.map(|part| part.split_once('/')) {
            None => Ok(ResourceArn::Table(TableName::checked(arn))),
            Some(Some(("stream", label))) if !label.is_empty() && !label.contains('/') => {
                Ok(ResourceArn::Stream { arn, table, label })
            }
            Some(Some(("index", _))) => Err(ApiError::parameter(format!(
                "Invalid resource arn provided, only table or stream is accepted. Provided \
                 resource arn: {arn}"
            ))),
            Some(_) => Err(foreign()),
        }
    }

    /// What a policy of it is about.
    pub(crate) fn subject(self) -> PolicySubject {
        match self {
            ResourceArn::Table(_) => PolicySubject::Table,
            ResourceArn::Stream { .. } => PolicySubject::Stream,
        }
    }

    /// The ARN as it was sent.
    pub(crate) fn as_sent(self) -> &'r str {
        match self {
            ResourceArn::Table(name) => name.as_sent(),
            ResourceArn::Stream { arn, .. } => arn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts were measured in October 2026 for bare names, indexes and backups.
    #[test]
    fn only_tables_and_streams_are_named() {
        let text = |arn: &str| {
            let error = ResourceArn::read(&Some(arn.to_owned())).unwrap_err();
            error.message().unwrap().to_owned()
        };
        let lead = "One or more parameter values were invalid:";
        assert_eq!(text("shop"), format!("{lead} ARNs must start with 'arn:': shop"));
        let table = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";
        let index = format!("{table}/index/by_state");
        assert!(text(&index).starts_with(&format!("{lead} Invalid resource arn provided, only")));
        for other in [format!("{table}/backup/0170"), "arn:aws:sqs:us-east-1:1:q".to_owned()] {
            let expected = format!("{lead} Provided Arn is not a DynamoDB resource arn: {other}");
            assert_eq!(text(&other), expected);
        }
    }

    #[test]
    fn a_stream_is_named_by_its_table_and_its_label() {
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/shop/stream/2026-01-01".to_owned();
        let sent = Some(arn.clone());
        let named = ResourceArn::Stream { arn: &arn, table: "shop", label: "2026-01-01" };
        assert_eq!(ResourceArn::read(&sent).unwrap(), named);
    }
}
