//! Continuous backups. No table has them yet, so none can be recovered to a point in time.

pub(crate) mod describe_continuous_backups;
pub(crate) mod restore_table_to_point_in_time;
pub(crate) mod update_continuous_backups;

use monotable_protocol::continuous_backups::{
    ContinuousBackupsDescription, PointInTimeRecoveryDescription,
};

/// What holds for every table. AWS shows `DISABLED` for both in the first seconds of a table.
fn description() -> ContinuousBackupsDescription {
    let disabled = || Some("DISABLED".to_owned());
    ContinuousBackupsDescription {
        continuous_backups_status: disabled(),
        point_in_time_recovery_description: Some(PointInTimeRecoveryDescription {
            point_in_time_recovery_status: disabled(),
        }),
    }
}
