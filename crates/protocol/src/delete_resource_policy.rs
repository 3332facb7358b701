//! `DeleteResourcePolicy`: removes the policy of a table or stream.

wire_struct! {
    /// The request of `DeleteResourcePolicy`.
    pub struct DeleteResourcePolicyRequest: Decode {
        /// The Amazon resource name of the table or stream.
        pub resource_arn: String = "ResourceArn",
        /// The revision that is meant.
        pub expected_revision_id: String = "ExpectedRevisionId",
    }
}

wire_struct! {
    /// The response of `DeleteResourcePolicy`.
    pub struct DeleteResourcePolicyResponse: Encode {
        /// The revision of the policy that was removed.
        pub revision_id: String = "RevisionId",
    }
}
