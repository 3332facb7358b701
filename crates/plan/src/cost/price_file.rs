//! Price files: TOML in, [`Prices`] out. The form is described in `docs/guide/model-cost.md`.

use monotable_model::diagnostic::nearest;
use thiserror::Error;
use toml::{Table, Value};

use super::price::{ClassPrices, Prices, ReservedBlock, ReservedPrices, UnitPrices};

/// What is wrong with a price file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PriceFileError {
    /// It is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// Something must be there and is not.
    #[error("{member} is missing")]
    Missing {
        /// Its path, such as `standard.storage_gb_month`.
        member: String,
    },
    /// Something is of another type, or below zero.
    #[error("{member} must be {expected}")]
    Type {
        /// Its path.
        member: String,
        /// What it must be.
        expected: &'static str,
    },
    /// Something is there that price files do not have.
    #[error("unknown member {member}{}", suggestion.as_ref().map(|name| format!(", did you mean \
        {name}?")).unwrap_or_default())]
    Unknown {
        /// Its path.
        member: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
}

const MILLION: f64 = 1_000_000.0;
const HUNDRED_THOUSAND: f64 = 100_000.0;

/// Reads a price file.
pub fn read_prices(text: &str) -> Result<Prices, PriceFileError> {
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| PriceFileError::Syntax(error.to_string()))?;
    let file = Members { path: String::new(), table: &table };
    file.allow(&[
        "region",
        "date",
        "source",
        "currency",
        "standard",
        "infrequent_access",
        "reserved",
        "backup",
        "streams",
    ])?;
    let reserved = file.optional_members("reserved")?;
    let term = |name: &str, months: f64| match &reserved {
        Some(reserved) => {
            reserved.allow(&["one_year", "three_years"])?;
            reserved.optional_members(name)?.map(|term| reserved_prices(&term, months)).transpose()
        }
        None => Ok(None),
    };
    let backup = file.optional_members("backup")?;
    Ok(Prices {
        region: file.text("region")?,
        date: file.text("date")?,
        source: file.text("source")?,
        currency: file.text("currency")?,
        standard: class_prices(&file.members("standard")?)?,
        infrequent_access: file
            .optional_members("infrequent_access")?
            .map(|class| class_prices(&class))
            .transpose()?,
        reserved_one_year: term("one_year", 12.0)?,
        reserved_three_years: term("three_years", 36.0)?,
        point_in_time: backup_price(backup.as_ref(), "point_in_time_gb_month")?,
        backup: backup_price(backup.as_ref(), "on_demand_gb_month")?,
        stream_read: stream_price(&file)?,
    })
}

fn class_prices(class: &Members<'_>) -> Result<ClassPrices, PriceFileError> {
    class.allow(&["storage_gb_month", "on_demand", "provisioned"])?;
    let units = |name: &str, suffix: &str, divisor: f64| {
        class.optional_members(name)?.map(|units| unit_prices(&units, suffix, divisor)).transpose()
    };
    Ok(ClassPrices {
        storage: class.number("storage_gb_month")?,
        on_demand: units("on_demand", "million", MILLION)?,
        provisioned: units("provisioned", "hour", 1.0)?,
    })
}

/// A replicated write costs what a write does, unless the file says otherwise.
fn unit_prices(
    units: &Members<'_>,
    suffix: &str,
    divisor: f64,
) -> Result<UnitPrices, PriceFileError> {
    let [read, write, replicated] =
        ["read", "write", "replicated_write"].map(|name| format!("{name}_{suffix}"));
    units.allow(&[&read, &write, &replicated])?;
    let write = units.number(&write)?;
    Ok(UnitPrices {
        read: units.number(&read)? / divisor,
        write: write / divisor,
        replicated_write: units.optional_number(&replicated)?.unwrap_or(write) / divisor,
    })
}

fn reserved_prices(term: &Members<'_>, months: f64) -> Result<ReservedPrices, PriceFileError> {
    term.allow(&["read", "write"])?;
    let block = |name: &str| {
        let block = term.members(name)?;
        block.allow(&["upfront", "hour"])?;
        Ok(ReservedBlock { upfront: block.number("upfront")?, hour: block.number("hour")? })
    };
    Ok(ReservedPrices { months, read: block("read")?, write: block("write")? })
}

fn backup_price(backup: Option<&Members<'_>>, name: &str) -> Result<Option<f64>, PriceFileError> {
    let Some(backup) = backup else { return Ok(None) };
    backup.allow(&["point_in_time_gb_month", "on_demand_gb_month"])?;
    backup.optional_number(name)
}

fn stream_price(file: &Members<'_>) -> Result<Option<f64>, PriceFileError> {
    let Some(streams) = file.optional_members("streams")? else { return Ok(None) };
    streams.allow(&["read_100k"])?;
    Ok(streams.optional_number("read_100k")?.map(|price| price / HUNDRED_THOUSAND))
}

/// A table of the file and where it stands.
struct Members<'t> {
    path: String,
    table: &'t Table,
}

impl<'t> Members<'t> {
    fn allow(&self, names: &[&str]) -> Result<(), PriceFileError> {
        match self.table.keys().find(|name| !names.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(PriceFileError::Unknown {
                member: self.member(name),
                suggestion: nearest(name, names.iter().copied()).map(str::to_owned),
            }),
        }
    }

    fn text(&self, name: &str) -> Result<String, PriceFileError> {
        match self.required(name)? {
            Value::String(text) => Ok(text.clone()),
            _ => Err(self.mistyped(name, "a text")),
        }
    }

    fn number(&self, name: &str) -> Result<f64, PriceFileError> {
        self.required(name)?;
        self.optional_number(name)?.ok_or_else(|| self.missing(name))
    }

    fn optional_number(&self, name: &str) -> Result<Option<f64>, PriceFileError> {
        let number = match self.table.get(name) {
            None => return Ok(None),
            Some(Value::Float(number)) => *number,
            // Prices in whole numbers are small.
            Some(Value::Integer(number)) => *number as f64,
            Some(_) => return Err(self.mistyped(name, "a number")),
        };
        if number.is_finite() && number >= 0.0 {
            return Ok(Some(number));
        }
        Err(self.mistyped(name, "a number that is not below zero"))
    }

    fn members(&self, name: &str) -> Result<Members<'t>, PriceFileError> {
        self.optional_members(name)?.ok_or_else(|| self.missing(name))
    }

    fn optional_members(&self, name: &str) -> Result<Option<Members<'t>>, PriceFileError> {
        match self.table.get(name) {
            None => Ok(None),
            Some(Value::Table(table)) => Ok(Some(Members { path: self.member(name), table })),
            Some(_) => Err(self.mistyped(name, "a table")),
        }
    }

    fn required(&self, name: &str) -> Result<&'t Value, PriceFileError> {
        self.table.get(name).ok_or_else(|| self.missing(name))
    }

    fn missing(&self, name: &str) -> PriceFileError {
        PriceFileError::Missing { member: self.member(name) }
    }

    fn mistyped(&self, name: &str, expected: &'static str) -> PriceFileError {
        PriceFileError::Type { member: self.member(name), expected }
    }

    fn member(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = r#"
        region = "moon-1"
        date = "2026-01-01"
        source = "a letter"
        currency = "USD"
        [standard]
        storage_gb_month = 1
    "#;

    #[test]
    fn a_file_needs_no_more_than_a_region_and_storage() {
        let prices = read_prices(LEAST).unwrap();
        assert_eq!(prices.standard.storage, 1.0);
        assert_eq!(prices.standard.on_demand, None);
        assert_eq!(prices.stream_read, None);
    }

    #[track_caller]
    fn check_error(more: &str, expected: &str) {
        let error = read_prices(&format!("{LEAST}\n{more}")).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_mistake_is_named_with_its_path() {
        check_error("on_demnd = {}", "unknown member standard.on_demnd, did you mean on_demand?");
        check_error("on_demand = 5", "standard.on_demand must be a table");
        check_error(
            "provisioned = { write_hour = 1 }",
            "standard.provisioned.read_hour is missing",
        );
        check_error(
            "[backup]\npoint_in_time_gb_month = -1",
            "backup.point_in_time_gb_month must be a number that is not below zero",
        );
        check_error("[streams]\nread_100k = \"a\"", "streams.read_100k must be a number");
    }
}
