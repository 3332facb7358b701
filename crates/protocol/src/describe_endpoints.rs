//! `DescribeEndpoints`: tells where calls are to be sent.

pub use crate::shapes::EmptyRequest as DescribeEndpointsRequest;

wire_struct! {
    /// An address that calls can be sent to.
    pub struct Endpoint: Encode {
        /// The host, with its port if that is not the usual one.
        pub address: String = "Address",
        /// How long the address may be remembered.
        pub cache_period_in_minutes: i64 = "CachePeriodInMinutes",
    }
}

wire_struct! {
    /// The response of `DescribeEndpoints`.
    pub struct DescribeEndpointsResponse: Encode {
        /// The addresses.
        pub endpoints: Vec<Endpoint> = "Endpoints",
    }
}
