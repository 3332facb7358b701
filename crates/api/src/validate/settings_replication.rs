//! GlobalTableSettingsReplicationMode: whether replicas in other accounts follow the settings of a
//! table.
//!
//! A table without replicas can be switched to it before it has any. The switch is kept and shown.

use monotable_database::schema::SettingsReplication;

use crate::error::ApiError;

/// Reads the mode of a table without replicas, which may be absent. The text is AWS's, measured in
/// October 2026 for UpdateTable.
pub(crate) fn read(mode: &Option<String>) -> Result<Option<SettingsReplication>, ApiError> {
    match mode.as_deref() {
        None => Ok(None),
        Some("ENABLED") => Ok(Some(SettingsReplication::Enabled)),
        Some("DISABLED") => Ok(Some(SettingsReplication::Disabled)),
        Some(other) => Err(ApiError::validation(format!(
            "Value '{other}' at 'GlobalTableSettingsReplicationMode' failed to satisfy \
             constraint: Only ENABLED and DISABLED settings replication are supported for a \
             Regional Table."
        ))),
    }
}
