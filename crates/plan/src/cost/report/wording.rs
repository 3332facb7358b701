//! Numbers and words as reports write them.

use monotable_model::document::Operation;

use crate::cost::bill::BillLine;

/// The text for what is not known.
pub(super) const UNKNOWN: &str = "–";

/// An amount of money, to the cent; what is less is shown as less.
pub fn money(amount: f64) -> String {
    let is_small = amount != 0.0 && amount.abs() < 0.005;
    if is_small { "<0.01".to_owned() } else { grouped(&format!("{amount:.2}")) }
}

/// An amount that may not be known.
pub(super) fn money_or_unknown(amount: Option<f64>) -> String {
    amount.map_or_else(|| UNKNOWN.to_owned(), money)
}

/// A difference with its sign.
pub(super) fn change(amount: f64) -> String {
    let text = money(amount.abs());
    if text == "0.00" { text } else { format!("{}{text}", if amount < 0.0 { '-' } else { '+' }) }
}

/// A number with as many decimals as it needs, two at most.
pub fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.005 {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.2}");
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A part of a whole, in percent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// Digits with commas between thousands.
fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let (sign, whole) = whole.split_at(usize::from(whole.starts_with('-')));
    let mut text = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

/// An operation as the model document writes it.
pub fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Get => "get",
        Operation::Query => "query",
        Operation::Scan => "scan",
        Operation::Put => "put",
        Operation::Update => "update",
        Operation::Delete => "delete",
        Operation::BatchGet => "batch-get",
        Operation::BatchWrite => "batch-write",
        Operation::TransactGet => "transact-get",
        Operation::TransactWrite => "transact-write",
        Operation::Steps => "steps",
        Operation::Expire => "expire",
        Operation::Consume => "consume",
        Operation::Administer => "administer",
    }
}

/// What is paid for, in words and as a member of JSON.
pub(super) fn bill_line(line: BillLine) -> (&'static str, &'static str) {
    match line {
        BillLine::Reads => ("reads", "reads"),
        BillLine::Writes => ("writes", "writes"),
        BillLine::ReplicatedWrites => ("replicated writes", "replicated_writes"),
        BillLine::Storage => ("storage", "storage"),
        BillLine::ReplicaStorage => ("replica storage", "replica_storage"),
        BillLine::PointInTime => ("point-in-time recovery", "point_in_time_recovery"),
        BillLine::Backups => ("backups", "backups"),
        BillLine::StreamReads => ("stream reads", "stream_reads"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_to_be_read() {
        assert_eq!(
            [0.0, 0.001, 1234.5, -1_234_567.0].map(money).join(" "),
            "0.00 <0.01 1,234.50 -1,234,567.00"
        );
        assert_eq!([0.0, 0.5, 2.25, 1000.0, 0.0004].map(number).join(" "), "0 0.5 2.25 1,000 4e-4");
        assert_eq!([1.5, -1.5, 0.0, -0.001].map(change).join(" "), "+1.50 -1.50 0.00 -<0.01");
        assert_eq!(percent(0.2889), "28.9 %");
    }
}
