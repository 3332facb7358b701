//! `GetResourcePolicy`: tells who may use a table or stream.

wire_struct! {
    /// The request of `GetResourcePolicy`.
    pub struct GetResourcePolicyRequest: Decode {
        /// The Amazon resource name of the table or stream.
        pub resource_arn: String = "ResourceArn",
    }
}

wire_struct! {
    /// The response of `GetResourcePolicy`.
    pub struct GetResourcePolicyResponse: Encode {
        /// The policy document as JSON text.
        pub policy: String = "Policy",
        /// The revision of the policy.
        pub revision_id: String = "RevisionId",
    }
}
