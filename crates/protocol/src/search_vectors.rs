//! `SearchVectors`: finds the items whose vectors are nearest.
//!
//! The service reads this request more strictly than others: a member that is required may not be
//! `null`, and one that is missing is told with where the body ends.

use std::collections::BTreeMap;

use crate::decode::Decode;
use crate::error::{DecodeError, TextPosition, WireType};
use crate::json::{Reader, Token};
use crate::shapes::VectorCapacity;
use crate::value::{ResponseItem, WireItem, WireValue};

/// The members that must be there, and their types.
const REQUIRED: [(&str, WireType); 4] = [
    ("TableName", String::TYPE),
    ("IndexName", String::TYPE),
    ("SearchVector", Vec::<WireValue>::TYPE),
    ("TopK", i32::TYPE),
];

/// The request of `SearchVectors`.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchVectorsRequest {
    /// Its members.
    pub members: SearchVectorsMembers,
    /// Where the body ends.
    pub end: TextPosition,
}

wire_struct! {
    /// The members of a request of `SearchVectors`.
    pub struct SearchVectorsMembers: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The vector index.
        pub index_name: String = "IndexName",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// What the expressions' `#names` stand for.
        pub expression_attribute_names: BTreeMap<String, String> = "ExpressionAttributeNames",
        /// What the expressions' `:values` stand for.
        pub expression_attribute_values: WireItem = "ExpressionAttributeValues",
        /// The document paths to return.
        pub projection_expression: String = "ProjectionExpression",
        /// The vector that others are compared with.
        pub search_vector: Vec<WireValue> = "SearchVector",
        /// What must hold of the attributes of the search schema.
        pub search_condition_expression: String = "SearchConditionExpression",
        /// How many items to return.
        pub top_k: i32 = "TopK",
    }
}

impl Decode for SearchVectorsRequest {
    const TYPE: WireType = WireType::Structure("SearchVectorsInput");

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        refuse_nulls(&mut reader.clone())?;
        let members = SearchVectorsMembers::decode(reader)?;
        Ok(SearchVectorsRequest { members, end: reader.position() })
    }
}

/// Looks for `null` where the service needs a value.
fn refuse_nulls(reader: &mut Reader<'_>) -> Result<(), DecodeError> {
    if reader.peek()? != Token::Object {
        return Err(reader.mismatch(SearchVectorsMembers::TYPE));
    }
    reader.object(|reader, name| {
        let required = REQUIRED.iter().find(|(required, _)| *required == name);
        match required {
            Some((_, expected)) if reader.take_null()? => Err(DecodeError::UnexpectedNull {
                expected: *expected,
                position: reader.position(),
            }),
            Some(_) | None => reader.skip_value(),
        }
    })
}

wire_struct! {
    /// The response of `SearchVectors`.
    pub struct SearchVectorsResponse: Encode {
        /// The items found, the nearest first.
        pub search_results: Vec<SearchResultItem> = "SearchResults",
        /// What the request consumed, if asked for.
        pub consumed_capacity: VectorCapacity = "ConsumedCapacity",
    }
}

wire_struct! {
    /// An item that was found.
    pub struct SearchResultItem: Encode {
        /// What is returned of the item.
        pub item: ResponseItem = "Item",
        /// How far it is.
        pub score: f64 = "Score",
    }
}
