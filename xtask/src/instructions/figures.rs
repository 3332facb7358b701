//! The file of figures: a line for the toolchain that they belong to, and a line for each scenario.
//!
//! ```text
//! # comment
//! rustc               1.95.0
//! item-encode           5694
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Error, Result};

use super::ACCEPT_COMMAND;

/// The name on the line of the toolchain.
const TOOLCHAIN: &str = "rustc";

/// The width of the column of names, unless one of them is longer.
const NAME_WIDTH: usize = 20;

/// How wide the column of these names is.
pub(super) fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.len() + 1).fold(NAME_WIDTH, usize::max)
}

/// Instructions per call, by scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Figures {
    /// The version of the compiler: another one makes other code of the same source.
    pub(super) toolchain: String,
    pub(super) instructions: BTreeMap<String, u64>,
}

impl FromStr for Figures {
    type Err = Error;

    fn from_str(text: &str) -> Result<Figures> {
        let mut figures = Figures::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = line.split_once(' ').with_context(|| line.to_owned())?;
            let value = value.trim_start();
            if name == TOOLCHAIN {
                value.clone_into(&mut figures.toolchain);
                continue;
            }
            let count = value.parse().with_context(|| line.to_owned())?;
            figures.instructions.insert(name.to_owned(), count);
        }
        Ok(figures)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Instructions per call on x86-64 Linux. Written by {ACCEPT_COMMAND}.")?;
        let width = name_width(self.instructions.keys().map(String::as_str));
        writeln!(f, "{TOOLCHAIN:width$}{:>10}", self.toolchain)?;
        for (name, count) in &self.instructions {
            writeln!(f, "{name:width$}{count:>10}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn figures() -> Figures {
        let instructions = [("item-encode", 5_694), ("query", 185_843)];
        let instructions = instructions.map(|(name, count)| (name.to_owned(), count));
        Figures { toolchain: "1.95.0".to_owned(), instructions: BTreeMap::from(instructions) }
    }

    #[test]
    fn a_long_name_makes_the_column_wider() {
        let names = |names: &[&'static str]| name_width(names.iter().copied());
        assert_eq!(names(&["query"]), NAME_WIDTH);
        assert_eq!(names(&["query", "batch-write-item-with-model"]), 28);
    }

    #[test]
    fn a_scenario_is_a_line() {
        expect![[r#"
            # Instructions per call on x86-64 Linux. Written by cargo xtask instructions --accept.
            rustc                   1.95.0
            item-encode               5694
            query                   185843
        "#]]
        .assert_eq(&figures().to_string());
    }

    #[test]
    fn what_was_written_is_read_back() {
        assert_eq!(figures().to_string().parse::<Figures>().unwrap(), figures());
    }

    #[test]
    fn a_line_that_is_no_figure_is_an_error_that_shows_it() {
        for line in ["query", "query many", "query -1"] {
            let error = line.parse::<Figures>().unwrap_err();
            assert_eq!(error.to_string(), line);
        }
    }
}
