//! Amazon resource names below that of a table: its backups, exports and imports.

use monotable_database::Home;

use crate::error::ApiError;
use crate::resource_name::{account_in, table_arn};
use crate::validate::table_name::is_of_pattern;

/// What a table can have besides its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    Backup,
    Export,
    Import,
}

/// The name of a backup, export or import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TablePart<'r> {
    kind: PartKind,
    as_sent: &'r str,
    table: &'r str,
    id: &'r str,
}

impl PartKind {
    fn in_arn(self) -> &'static str {
        match self {
            PartKind::Backup => "backup",
            PartKind::Export => "export",
            PartKind::Import => "import",
        }
    }

    fn in_text(self) -> &'static str {
        match self {
            PartKind::Backup => "Backup",
            PartKind::Export => "Export",
            PartKind::Import => "Import",
        }
    }
}

impl<'r> TablePart<'r> {
    /// Reads a name, which must be there and of this kind. That it names another
    /// service is reported separately for backups only.
    pub(crate) fn read(kind: PartKind, arn: Option<&'r str>) -> Result<TablePart<'r>, ApiError> {
        let invalid = || ApiError::validation(format!("Invalid {} ARN", kind.in_text()));
        let parsed = arn.and_then(|arn| TablePart::parse(kind, arn));
        let (service, part) = parsed.ok_or_else(invalid)?;
        match (kind, service) {
            (_, "dynamodb") => Ok(part),
            (PartKind::Backup, _) => Err(ApiError::invalid_request("BackupArn is not valid")),
            (PartKind::Export | PartKind::Import, _) => Err(invalid()),
        }
    }

    /// The service that an ARN names, and the rest.
    fn parse(kind: PartKind, arn: &'r str) -> Option<(&'r str, TablePart<'r>)> {
        let parts: Vec<&str> = arn.splitn(6, ':').collect();
        let ["arn", _, service, _, _, resource] = parts.as_slice() else { return None };
        let (table, rest) = resource.strip_prefix("table/")?.split_once('/')?;
        let (name, id) = rest.split_once('/')?;
        let is_right = name == kind.in_arn() && is_of_pattern(table) && is_of_pattern(id);
        is_right.then_some((*service, TablePart { kind, as_sent: arn, table, id }))
    }

    /// The name as it was sent: an error repeats it.
    pub(crate) fn as_sent(&self) -> &'r str {
        self.as_sent
    }

    /// The account in the name.
    pub(crate) fn account(&self) -> Option<&'r str> {
        account_in(self.as_sent)
    }

    /// The name as we write it. Policies are asked about this one: the one that was sent may be
    /// spelt in other ways, which no policy would know.
    pub(crate) fn arn(&self, home: &Home) -> String {
        format!("{}/{}/{}", table_arn(home, self.table), self.kind.in_arn(), self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKUP: &str = "arn:aws:dynamodb:eu-west-1:1:table/shop/backup/01791504762511-2779fadd";

    fn refusal(kind: PartKind, arn: &str) -> String {
        TablePart::read(kind, Some(arn)).unwrap_err().message().unwrap().to_owned()
    }

    #[test]
    fn a_name_is_written_with_our_region_and_account() {
        let part = TablePart::read(PartKind::Backup, Some(BACKUP)).unwrap();
        assert_eq!(
            part.arn(&Home::default()),
            "arn:aws:dynamodb:us-east-1:000000000000:table/shop/backup/01791504762511-2779fadd"
        );
        assert_eq!((part.as_sent(), part.account()), (BACKUP, Some("1")));
    }

    #[test]
    fn other_names_are_refused() {
        for text in [
            "arn:aws:dynamodb:eu-west-1:1:table/shop",
            "arn:aws:dynamodb:eu-west-1:1:table/shop/export/1",
            "arn:aws:dynamodb:eu-west-1:1:table/shop/backup/",
            "arn:aws:dynamodb:eu-west-1:1:table/shop/backup/1/2",
            "kossaapaaasdafsdaasdasdasdasasdasfadfadfasdasdas",
        ] {
            assert_eq!(refusal(PartKind::Backup, text), "Invalid Backup ARN", "{text}");
        }
        let bucket = BACKUP.replace("dynamodb", "s3");
        assert_eq!(refusal(PartKind::Backup, &bucket), "Invalid Request: BackupArn is not valid");
        assert_eq!(refusal(PartKind::Export, BACKUP), "Invalid Export ARN");
        assert_eq!(refusal(PartKind::Import, BACKUP), "Invalid Import ARN");
    }
}
