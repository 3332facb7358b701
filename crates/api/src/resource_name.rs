//! Amazon resource names of what is here.

use monotable_database::Home;

use crate::stream::arn::StreamName;

/// The account in an Amazon resource name; none if the text is no such name.
pub(crate) fn account_in(text: &str) -> Option<&str> {
    let arn = text.strip_prefix("arn:")?;
    arn.split(':').nth(3).filter(|account| !account.is_empty())
}

/// The Amazon resource name of a table.
pub(crate) fn table_arn(home: &Home, name: &str) -> String {
    format!("arn:aws:dynamodb:{}:{}:table/{name}", home.region(), home.account())
}

/// The Amazon resource name of a key as it was named: by its own ARN, by an alias or by its id. The
/// service's key in the account is known by its alias.
pub(crate) fn key_arn(home: &Home, key: Option<&str>) -> String {
    let key = key.unwrap_or("alias/aws/dynamodb");
    let kind = if key.starts_with("alias/") { "" } else { "key/" };
    if key.starts_with("arn:") {
        key.to_owned()
    } else {
        format!("arn:aws:kms:{}:{}:{kind}{key}", home.region(), home.account())
    }
}

/// The Amazon resource name of an index.
pub(crate) fn index_arn(home: &Home, table: &str, index: &str) -> String {
    format!("{}/index/{index}", table_arn(home, table))
}

/// The Amazon resource name of a stream.
pub(crate) fn stream_arn(home: &Home, stream: &StreamName) -> String {
    format!("{}/stream/{}", table_arn(home, &stream.table), stream.label)
}

/// The Amazon resource name of a global table, which belongs to no region.
pub(crate) fn global_table_arn(home: &Home, name: &str) -> String {
    format!("arn:aws:dynamodb::{}:global-table/{name}", home.account())
}
