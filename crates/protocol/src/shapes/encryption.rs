//! Encryption at rest.

use super::Timestamp;

wire_struct! {
    /// How a table is to be encrypted.
    pub struct SSESpecification: Decode + Encode + Inspect {
        /// Whether with a key of the account instead of the service's.
        pub enabled: bool = "Enabled",
        /// `KMS` or `AES256`.
        pub sse_type: String = "SSEType",
        /// The key to use.
        pub kms_master_key_id: String = "KMSMasterKeyId",
    }
}

wire_struct! {
    /// How a table is encrypted.
    pub struct SSEDescription: Encode {
        /// `ENABLING`, `ENABLED`, `DISABLING`, `DISABLED` or `UPDATING`.
        pub status: String = "Status",
        /// `KMS` or `AES256`.
        pub sse_type: String = "SSEType",
        /// The key in use.
        pub kms_master_key_arn: String = "KMSMasterKeyArn",
        /// Since when the key cannot be reached.
        pub inaccessible_encryption_date_time: Timestamp = "InaccessibleEncryptionDateTime",
    }
}
