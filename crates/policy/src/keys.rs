//! The names of condition keys, in the lower case in which [`Facts`](crate::Facts) is asked for
//! them.
//!
//! Documents may spell them in any case. Keys with a part of their own, such as
//! `aws:PrincipalTag/team`, begin with a prefix that ends in `/`.

use crate::similarity;

/// The partition keys that a request names: `dynamodb:LeadingKeys`. Has a value for each of them.
pub const LEADING_KEYS: &str = "dynamodb:leadingkeys";
/// The top-level attributes that a request names: `dynamodb:Attributes`. Has a value for each of
/// them.
pub const ATTRIBUTES: &str = "dynamodb:attributes";
/// The `Select` of Query and Scan, or what takes its place: `dynamodb:Select`.
pub const SELECT: &str = "dynamodb:select";
/// The `ReturnValues` of a write: `dynamodb:ReturnValues`.
pub const RETURN_VALUES: &str = "dynamodb:returnvalues";
/// The `ReturnConsumedCapacity` of a request: `dynamodb:ReturnConsumedCapacity`.
pub const RETURN_CONSUMED_CAPACITY: &str = "dynamodb:returnconsumedcapacity";
/// The transaction or batch that an action is part of: `dynamodb:EnclosingOperation`.
pub const ENCLOSING_OPERATION: &str = "dynamodb:enclosingoperation";
/// Whether a PartiQL statement reads the whole table: `dynamodb:FullTableScan`.
pub const FULL_TABLE_SCAN: &str = "dynamodb:fulltablescan";
/// The first attribute of multi-attribute partition keys: `dynamodb:FirstPartitionKeyValues`.
pub const FIRST_PARTITION_KEY_VALUES: &str = "dynamodb:firstpartitionkeyvalues";
/// The second attribute of multi-attribute partition keys.
pub const SECOND_PARTITION_KEY_VALUES: &str = "dynamodb:secondpartitionkeyvalues";
/// The third attribute of multi-attribute partition keys.
pub const THIRD_PARTITION_KEY_VALUES: &str = "dynamodb:thirdpartitionkeyvalues";
/// The fourth attribute of multi-attribute partition keys.
pub const FOURTH_PARTITION_KEY_VALUES: &str = "dynamodb:fourthpartitionkeyvalues";

/// The address that the request comes from: `aws:SourceIp`.
pub const SOURCE_IP: &str = "aws:sourceip";
/// Whether the connection is encrypted, `true` or `false`: `aws:SecureTransport`.
pub const SECURE_TRANSPORT: &str = "aws:securetransport";
/// The time in ISO 8601: `aws:CurrentTime`.
pub const CURRENT_TIME: &str = "aws:currenttime";
/// The time in seconds since 1970: `aws:EpochTime`.
pub const EPOCH_TIME: &str = "aws:epochtime";
/// What the client calls itself: `aws:UserAgent`.
pub const USER_AGENT: &str = "aws:useragent";
/// The region that is asked: `aws:RequestedRegion`.
pub const REQUESTED_REGION: &str = "aws:requestedregion";
/// What leads the name of a tag of the principal: `aws:PrincipalTag/`.
pub const PRINCIPAL_TAG_PREFIX: &str = "aws:principaltag/";
/// What leads the name of a tag of the table: `aws:ResourceTag/`.
pub const RESOURCE_TAG_PREFIX: &str = "aws:resourcetag/";
/// What leads the name of a tag that a request carries: `aws:RequestTag/`.
pub const REQUEST_TAG_PREFIX: &str = "aws:requesttag/";
/// The names of all tags that a request carries: `aws:TagKeys`.
pub const TAG_KEYS: &str = "aws:tagkeys";

/// The user's name: `aws:username`. Answered from the principal.
pub const USERNAME: &str = "aws:username";
/// The user's id, which is its name here: `aws:userid`. Answered from the principal.
pub const USERID: &str = "aws:userid";
/// The principal's ARN: `aws:PrincipalArn`. Answered from the principal.
pub const PRINCIPAL_ARN: &str = "aws:principalarn";
/// The principal's account: `aws:PrincipalAccount`. Answered from the principal.
pub const PRINCIPAL_ACCOUNT: &str = "aws:principalaccount";
/// Always `User`: `aws:PrincipalType`. Answered from the principal.
pub const PRINCIPAL_TYPE: &str = "aws:principaltype";
/// Always `false`: `aws:PrincipalIsAWSService`. Answered from the principal.
pub const PRINCIPAL_IS_AWS_SERVICE: &str = "aws:principalisawsservice";
/// Always `false`: `aws:ViaAWSService`. Answered from the principal.
pub const VIA_AWS_SERVICE: &str = "aws:viaawsservice";
/// The account of the resource: `aws:ResourceAccount`. Answered from its ARN.
pub const RESOURCE_ACCOUNT: &str = "aws:resourceaccount";

/// Every key that has a value here in some request, as AWS spells it. Those with a part of their
/// own end in `/`.
const KNOWN: &[&str] = &[
    "dynamodb:LeadingKeys",
    "dynamodb:Attributes",
    "dynamodb:Select",
    "dynamodb:ReturnValues",
    "dynamodb:ReturnConsumedCapacity",
    "dynamodb:EnclosingOperation",
    "dynamodb:FullTableScan",
    "dynamodb:FirstPartitionKeyValues",
    "dynamodb:SecondPartitionKeyValues",
    "dynamodb:ThirdPartitionKeyValues",
    "dynamodb:FourthPartitionKeyValues",
    "aws:SourceIp",
    "aws:SecureTransport",
    "aws:CurrentTime",
    "aws:EpochTime",
    "aws:UserAgent",
    "aws:RequestedRegion",
    "aws:PrincipalTag/",
    "aws:ResourceTag/",
    "aws:RequestTag/",
    "aws:TagKeys",
    "aws:username",
    "aws:userid",
    "aws:PrincipalArn",
    "aws:PrincipalAccount",
    "aws:PrincipalType",
    "aws:PrincipalIsAWSService",
    "aws:ViaAWSService",
    "aws:ResourceAccount",
];

/// The keys that can have several values in one request.
pub(crate) const MULTIVALUED: &[&str] = &[
    LEADING_KEYS,
    ATTRIBUTES,
    FIRST_PARTITION_KEY_VALUES,
    SECOND_PARTITION_KEY_VALUES,
    THIRD_PARTITION_KEY_VALUES,
    FOURTH_PARTITION_KEY_VALUES,
    TAG_KEYS,
];

/// Whether some request has a key, by its name in any case.
pub fn is_known(key: &str) -> bool {
    KNOWN.iter().any(|known| {
        let lead = key.get(..known.len()).unwrap_or_default();
        let is_whole = key.len() == known.len();
        lead.eq_ignore_ascii_case(known) && is_whole != known.ends_with('/')
    })
}

/// The key whose name is the most similar to one that no request has.
pub fn similar(key: &str) -> Option<&'static str> {
    similarity::closest(key, KNOWN.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_in_any_case_and_with_any_tag() {
        assert!(is_known("DYNAMODB:leadingkeys"));
        assert!(is_known("aws:PrincipalTag/team"));
        assert!(!is_known("aws:PrincipalTag/"));
        assert!(!is_known("aws:PrincipalTag"));
        assert_eq!(similar("dynamodb:LeadingKey"), Some("dynamodb:LeadingKeys"));
    }
}
