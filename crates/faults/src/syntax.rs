//! A fault in one line: `throttle rate=0.1 table=Orders operation=PutItem,UpdateItem`.
//!
//! The first word is the kind; the others are settings. A value with spaces stands in double
//! quotes:
//! `key="user 7"`.

use std::fmt;
use std::str::FromStr;

use crate::error::FaultError;
use crate::fault::Fault;
use crate::setting;

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(line: &str) -> Result<Fault, FaultError> {
        let mut words = words(line).into_iter();
        let kind = words.next().ok_or_else(|| FaultError::Empty { kinds: setting::kinds() })?;
        let pair = |word: String| match word.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(FaultError::NotASetting { word }),
        };
        setting::fault(&kind, words.map(pair).collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, settings) = setting::settings(self);
        f.write_str(kind)?;
        for (name, value) in settings {
            if value.contains(char::is_whitespace) {
                write!(f, " {name}=\"{value}\"")?
            } else {
                write!(f, " {name}={value}")?
            }
        }
        Ok(())
    }
}

/// The words of a line. Spaces between double quotes divide nothing, and the quotes go.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for character in line.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            space if space.is_whitespace() && !is_quoted => words.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_written_alike() {
        for line in [
            "throttle",
            "throttle limit=key-range rate=0.1 table=Orders operation=PutItem,UpdateItem",
            "throttle index=ByDate operation=Query",
            "conflict rate=0.25 key=user#1",
            "in-progress first=1",
            "unprocessed share=0.5",
            "unprocessed count=2 every=3",
            "delay time=50ms",
            "delay min=10ms max=1s",
            "delay mean=20ms table=T",
            "error",
            "error when=after key-prefix=user#",
            "drop when=after",
            "stale age=2s",
            "index-lag age=1m30s index=ByDate",
            "error key=\"user 7\"",
        ] {
            let fault: Fault = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(fault.to_string(), line);
        }
    }

    #[test]
    fn what_is_as_usual_is_not_written() {
        let fault: Fault = "  drop   when=before rate=1  ".parse().unwrap();
        assert_eq!(fault.to_string(), "drop");
    }

    #[test]
    fn mistakes_say_what_is_expected() {
        for (line, reason) in [
            ("", "a fault begins with its kind"),
            ("slow", "\"slow\" is no kind of fault; there are throttle, conflict"),
            ("error often", "\"often\" is not of the form name=value"),
            ("error rat=1", "has no setting \"rat\"; it has when, rate, table"),
            ("error rate=2", "rate=2: expected a number from 0 to 1"),
            ("error rate=x", "rate=x: expected a number from 0 to 1"),
            ("error rate=NaN", "rate=NaN: expected a number from 0 to 1"),
            ("error rate=1 rate=1", "rate is given twice"),
            ("error first=0", "first=0: expected a whole number from 1"),
            ("error when=later", "when=later: expected before or after"),
            ("error key=a key-prefix=b", "give key or key-prefix, not both"),
            ("throttle limit=mine", "expected provisioned, key-range"),
            ("unprocessed", "needs either share, such as 0.5, or count, such as 2"),
            ("unprocessed share=1 count=1", "needs either share"),
            ("delay", "needs time=50ms, or min=10ms and max=90ms, or mean=50ms"),
            ("delay min=2s max=1s", "needs time=50ms"),
            ("delay time=2h", "expected a duration up to an hour"),
            ("stale", "needs age, such as age=2s"),
        ] {
            let error = line.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
