//! Auto scaling: units that follow the load, in each region of a global table.

wire_struct! {
    /// The request of `DescribeTableReplicaAutoScaling`.
    pub struct DescribeTableReplicaAutoScalingRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
    }
}

wire_struct! {
    /// The request of `UpdateTableReplicaAutoScaling`.
    pub struct UpdateTableReplicaAutoScalingRequest: Decode + Inspect {
        /// The indexes.
        pub global_secondary_index_updates: Vec<GlobalSecondaryIndexAutoScalingUpdate>
            = "GlobalSecondaryIndexUpdates",
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// How write units follow the load.
        pub provisioned_write_capacity_auto_scaling_update: AutoScalingSettingsUpdate
            = "ProvisionedWriteCapacityAutoScalingUpdate",
        /// The regions.
        pub replica_updates: Vec<ReplicaAutoScalingUpdate> = "ReplicaUpdates",
    }
}

wire_struct! {
    /// How the write units of an index follow the load.
    pub struct GlobalSecondaryIndexAutoScalingUpdate: DecodeFew + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// How write units follow the load.
        pub provisioned_write_capacity_auto_scaling_update: Box<AutoScalingSettingsUpdate>
            = "ProvisionedWriteCapacityAutoScalingUpdate",
    }
}

wire_struct! {
    /// How the read units of one region follow the load.
    pub struct ReplicaAutoScalingUpdate: DecodeFew + Inspect {
        /// The region's name.
        pub region_name: String = "RegionName",
        /// The indexes.
        pub replica_global_secondary_index_updates:
            Vec<ReplicaGlobalSecondaryIndexAutoScalingUpdate>
            = "ReplicaGlobalSecondaryIndexUpdates",
        /// How read units follow the load.
        pub replica_provisioned_read_capacity_auto_scaling_update: Box<AutoScalingSettingsUpdate>
            = "ReplicaProvisionedReadCapacityAutoScalingUpdate",
    }
}

wire_struct! {
    /// How the read units of an index follow the load in one region.
    pub struct ReplicaGlobalSecondaryIndexAutoScalingUpdate: DecodeFew + Inspect {
        /// The index's name.
        pub index_name: String = "IndexName",
        /// How read units follow the load.
        pub provisioned_read_capacity_auto_scaling_update: Box<AutoScalingSettingsUpdate>
            = "ProvisionedReadCapacityAutoScalingUpdate",
    }
}

wire_struct! {
    /// How units follow the load.
    pub struct AutoScalingSettingsUpdate: Decode + Inspect {
        /// The fewest units.
        pub minimum_units: i64 = "MinimumUnits",
        /// The most units.
        pub maximum_units: i64 = "MaximumUnits",
        /// Whether they follow no more.
        pub auto_scaling_disabled: bool = "AutoScalingDisabled",
        /// Who changes them.
        pub auto_scaling_role_arn: String = "AutoScalingRoleArn",
        /// How they are changed.
        pub scaling_policy_update: AutoScalingPolicyUpdate = "ScalingPolicyUpdate",
    }
}

wire_struct! {
    /// How units are changed.
    pub struct AutoScalingPolicyUpdate: Decode + Inspect {
        /// What the policy is called.
        pub policy_name: String = "PolicyName",
        /// What it aims at.
        pub target_tracking_scaling_policy_configuration:
            AutoScalingTargetTrackingScalingPolicyConfigurationUpdate
            = "TargetTrackingScalingPolicyConfiguration",
    }
}

wire_struct! {
    /// What a policy aims at.
    pub struct AutoScalingTargetTrackingScalingPolicyConfigurationUpdate: Decode + Inspect {
        /// Whether units are never taken away.
        pub disable_scale_in: bool = "DisableScaleIn",
        /// Seconds between two times that units are taken away.
        pub scale_in_cooldown: i32 = "ScaleInCooldown",
        /// Seconds between two times that units are added.
        pub scale_out_cooldown: i32 = "ScaleOutCooldown",
        /// How much of the units is to be used, in percent.
        pub target_value: f64 = "TargetValue",
    }
}
