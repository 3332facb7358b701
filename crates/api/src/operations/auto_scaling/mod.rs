//! Auto scaling of the replicas of a table. No table has replicas here.

pub(crate) mod describe_table_replica_auto_scaling;
pub(crate) mod update_table_replica_auto_scaling;
