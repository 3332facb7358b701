//! HCL, the language of Terraform's files, as far as data goes.
//!
//! What comes out has the shape of Terraform's JSON syntax, so that one importer reads both:
//!
//! ```text
//! resource "aws_dynamodb_table" "orders" {     resource: { aws_dynamodb_table: { orders: {
//!   name = "${var.stage}-orders"                 name: "${var.stage}-orders",
//!   hash_key = local.key                         hash_key: "${local.key}",
//!   attribute { name = "id" }                    attribute: [{ name: "id" }]
//! }                                            } } }
//! ```
//!
//! An expression is text in `${…}`; nothing is evaluated here.

mod expression;
mod reader;

pub(super) use reader::read;
