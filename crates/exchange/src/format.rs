//! The formats that are known, and telling which one a file has.

use monotable_model::document::Tree;

use super::extension::child;
use super::foreign::At;

/// A format that models are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFormat {
    /// NoSQL Workbench for DynamoDB, versions 1.0 to 3.0.
    Workbench,
    /// A schema of OneTable 1.1.
    OneTable,
    /// `schema.json` of AWS's MCP server for DynamoDB.
    SchemaJson,
    /// A CloudFormation template.
    CloudFormation,
    /// The parameters of CreateTable, or the answer of DescribeTable.
    CreateTable,
    /// A configuration or state of Terraform, or what `terraform show -json` prints.
    Terraform,
    /// Entities of ElectroDB, in JavaScript, TypeScript or JSON.
    ElectroDb,
}

/// A format that models are written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetFormat {
    /// A CloudFormation template in YAML.
    CloudFormation,
    /// A CloudFormation template in JSON.
    CloudFormationJson,
    /// Resources of Terraform's AWS provider.
    Terraform,
    /// Properties for the constructs of the CDK.
    CdkJson,
    /// NoSQL Workbench for DynamoDB.
    Workbench,
    /// A schema of OneTable 1.1.
    OneTable,
    /// A JSON Schema of the items of each entity.
    JsonSchema,
    /// Entities of ElectroDB, in TypeScript.
    ElectroDb,
    /// Code for the typed client, in Rust.
    Rust,
    /// A module on the document client of the AWS SDK, in TypeScript.
    TypeScript,
    /// A module on boto3, in Python.
    Python,
    /// The parameters of CreateTable.
    CreateTable,
    /// `schema.json` of AWS's MCP server for DynamoDB.
    SchemaJson,
}

impl SourceFormat {
    /// All of them, by name.
    pub const ALL: [(&'static str, SourceFormat); 7] = [
        ("workbench", SourceFormat::Workbench),
        ("onetable", SourceFormat::OneTable),
        ("schema-json", SourceFormat::SchemaJson),
        ("cloudformation", SourceFormat::CloudFormation),
        ("create-table", SourceFormat::CreateTable),
        ("terraform", SourceFormat::Terraform),
        ("electrodb", SourceFormat::ElectroDb),
    ];

    /// The name of the format.
    pub fn name(self) -> &'static str {
        let named = SourceFormat::ALL.iter().find(|(_, format)| *format == self);
        named.map(|(name, _)| *name).expect("every format has a name")
    }

    /// The format of a file, by the members that only it has.
    pub(super) fn detect(root: &Tree) -> Option<SourceFormat> {
        let has = |name: &str| child(root, name).is_some();
        if has("DataModel") {
            return Some(SourceFormat::Workbench);
        }
        if has("Resources") {
            return Some(SourceFormat::CloudFormation);
        }
        if is_terraform(root) {
            return Some(SourceFormat::Terraform);
        }
        if is_electrodb(root) {
            return Some(SourceFormat::ElectroDb);
        }
        if has("models") && has("indexes") {
            return Some(SourceFormat::OneTable);
        }
        if has("AttributeDefinitions") || has("KeySchema") || has("Table") {
            return Some(SourceFormat::CreateTable);
        }
        if let Some(tables) = child(root, "tables") {
            let first = At::root(tables).list().ok()?.first()?.tree.clone();
            let is_create_table = child(&first, "KeySchema").is_some();
            return Some(if is_create_table {
                SourceFormat::CreateTable
            } else {
                SourceFormat::SchemaJson
            });
        }
        let Tree::List(elements) = root else { return None };
        elements.first().filter(|first| child(first, "KeySchema").is_some())?;
        Some(SourceFormat::CreateTable)
    }
}

impl TargetFormat {
    /// All of them, by name.
    pub const ALL: [(&'static str, TargetFormat); 13] = [
        ("cloudformation", TargetFormat::CloudFormation),
        ("cloudformation-json", TargetFormat::CloudFormationJson),
        ("terraform", TargetFormat::Terraform),
        ("cdk-json", TargetFormat::CdkJson),
        ("workbench", TargetFormat::Workbench),
        ("onetable", TargetFormat::OneTable),
        ("json-schema", TargetFormat::JsonSchema),
        ("electrodb", TargetFormat::ElectroDb),
        ("rust", TargetFormat::Rust),
        ("typescript", TargetFormat::TypeScript),
        ("python", TargetFormat::Python),
        ("create-table", TargetFormat::CreateTable),
        ("schema-json", TargetFormat::SchemaJson),
    ];

    /// The name of the format.
    pub fn name(self) -> &'static str {
        let named = TargetFormat::ALL.iter().find(|(_, format)| *format == self);
        named.map(|(name, _)| *name).expect("every format has a name")
    }
}

/// Whether a file is Terraform's: a configuration in JSON, a state, or what `show` prints.
fn is_terraform(root: &Tree) -> bool {
    let has = |name: &str| child(root, name).is_some();
    let is_configuration = child(root, "resource").is_some_and(|all| matches!(all, Tree::Map(_)));
    let is_shown = has("values") || has("planned_values");
    is_configuration || has("terraform_version") && (is_shown || has("resources"))
}

/// Whether a file has schemas of ElectroDB: one, a list, or several by name.
fn is_electrodb(root: &Tree) -> bool {
    let is_schema = |tree: &Tree| {
        ["model", "attributes", "indexes"].iter().all(|name| child(tree, name).is_some())
    };
    let named = root.members().first().map(|(_, first)| first);
    is_schema(root) || root.elements().first().or(named).is_some_and(is_schema)
}
