//! `PutResourcePolicy`: says who may use a table or stream.

wire_struct! {
    /// The request of `PutResourcePolicy`.
    pub struct PutResourcePolicyRequest: Decode {
        /// The Amazon resource name of the table or stream.
        pub resource_arn: String = "ResourceArn",
        /// The policy document as JSON text.
        pub policy: String = "Policy",
        /// The revision that it takes the place of; `NO_POLICY` for none.
        pub expected_revision_id: String = "ExpectedRevisionId",
        /// Whether the caller may lose the right to change the policy.
        pub confirm_remove_self_resource_access: bool = "ConfirmRemoveSelfResourceAccess",
    }
}

wire_struct! {
    /// The response of `PutResourcePolicy`.
    pub struct PutResourcePolicyResponse: Encode {
        /// The revision of the policy.
        pub revision_id: String = "RevisionId",
    }
}
