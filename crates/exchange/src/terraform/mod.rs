//! Terraform: `aws_dynamodb_table` of the AWS provider.
//!
//! Three kinds of files have tables: configurations, in HCL or in JSON; what `terraform show -json`
//! prints of a state or plan; and the state itself. The last two have what expressions came to, and
//! the tables that modules make. Of a configuration, only locals and the defaults of variables are
//! known; every other expression is named in a note, or in an error where a key needs it.

mod export;
mod import;
mod kept_member;
mod reference;
mod repetition;
mod resource;

pub(super) use export::export;
pub(super) use import::import;

/// The type of the resource.
const TABLE: &str = "aws_dynamodb_table";
