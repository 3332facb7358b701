//! Conditions and updates from before expressions. They are still part of every request.

use crate::value::WireValue;

wire_struct! {
    /// What an attribute must be for a write to happen.
    pub struct ExpectedAttributeValue: Decode {
        /// The value it must have.
        pub value: WireValue = "Value",
        /// Whether it must exist.
        pub exists: bool = "Exists",
        /// How to compare it.
        pub comparison_operator: String = "ComparisonOperator",
        /// What to compare it with.
        pub attribute_value_list: Vec<WireValue> = "AttributeValueList",
    }
}

wire_struct! {
    /// What an attribute must be for an item to be returned.
    pub struct Condition: Decode {
        /// What to compare it with.
        pub attribute_value_list: Vec<WireValue> = "AttributeValueList",
        /// How to compare it.
        pub comparison_operator: String = "ComparisonOperator",
    }
}

wire_struct! {
    /// What to do to an attribute.
    pub struct AttributeValueUpdate: Decode {
        /// The value to put, add or delete.
        pub value: WireValue = "Value",
        /// `PUT`, `ADD` or `DELETE`.
        pub action: String = "Action",
    }
}
