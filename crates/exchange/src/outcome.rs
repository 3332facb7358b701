//! Importing and exporting as a whole.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Format, Model, Tree, read, write, write_tree, write_yaml};

use super::extension::Kept;
use super::foreign::{At, Read, note};
use super::source_text::{self, Source};
use super::{
    SourceFormat, TargetFormat, cdk, cloudformation, electrodb, json_schema, onetable,
    period_table, python, rust_source, schema_json, table_shape, terraform, typescript, workbench,
};

/// A model that was read from a foreign file.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The format of the file.
    pub format: SourceFormat,
    /// The model: consistent, as if it had been read from a file of its own.
    pub model: Model,
    /// What was not carried over, with its place in the foreign file, and what is a guess, with its
    /// place in the model.
    pub notes: Vec<Diagnostic>,
}

/// A model as the text of another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The text of the file.
    pub text: String,
    /// What the format cannot say. Places are those of the model.
    pub notes: Vec<Diagnostic>,
}

/// What an importer makes.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) model: Model,
    pub(super) kept: Kept,
    pub(super) notes: Vec<Diagnostic>,
}

/// What an exporter makes.
#[derive(Debug)]
pub(super) struct Written<T> {
    pub(super) content: T,
    pub(super) notes: Vec<Diagnostic>,
}

/// Reads a foreign file: of a format that is told, or of the one that its members show.
///
/// ```
/// use monotable_exchange::import;
///
/// let text = r#"{
///   "TableName": "Shop",
///   "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
///   "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }]
/// }"#;
/// let imported = import("shop.json", text, None).unwrap();
/// assert_eq!(imported.model.tables[0].partition_key.name, "PK");
/// ```
pub fn import(
    file_name: &str,
    text: &str,
    format: Option<SourceFormat>,
) -> Result<Import, Vec<Diagnostic>> {
    let Source { tree, format, locations } = source_text::read(file_name, text, format)?;
    let located = |mut diagnostics: Vec<Diagnostic>| {
        locations.locate(&mut diagnostics);
        diagnostics
    };
    let draft = read_draft(format, &At::root(&tree)).map_err(|error| located(vec![error]))?;
    let notes = located(draft.notes);
    let mut model = draft.model;
    draft.kept.into_model(&mut model, format.name());
    if model.name.is_empty() {
        model.name = name_of_file(file_name);
    }
    Ok(Import { format, model: settled(&model)?, notes })
}

/// Writes a model in another format.
pub fn export(model: &Model, target: TargetFormat) -> Export {
    let (shorter, left_out) = match period_table::left_out(model, target) {
        Some((shorter, notes)) => (Some(shorter), notes),
        None => (None, Vec::new()),
    };
    let mut export = written(shorter.as_ref().unwrap_or(model), target);
    export.notes.splice(0..0, left_out);
    export.notes.extend(for_this_program(model));
    export
}

/// Notes what only this program understands, so that no format has a place for it.
fn for_this_program(model: &Model) -> Vec<Diagnostic> {
    let parts = [
        ("tests", model.tests.len(), "monotable model test runs them from the model"),
        ("allow", model.allow.len(), "monotable model lint reads them from the model"),
    ];
    let left_out = parts.iter().filter(|(_, count, _)| *count > 0);
    left_out
        .map(|(member, count, why)| {
            note(&Place::root().member(member), format!("{count} left out: {why}"))
        })
        .collect()
}

fn written(model: &Model, target: TargetFormat) -> Export {
    let of_tree = |written: Written<Tree>| Export {
        text: write_tree(&written.content),
        notes: written.notes,
    };
    let of_text = |written: Written<String>| Export { text: written.content, notes: written.notes };
    match target {
        TargetFormat::CloudFormation => {
            let written = cloudformation::export(model);
            let text = write_yaml(&written.content);
            Export { text, notes: written.notes }
        }
        TargetFormat::CloudFormationJson => of_tree(cloudformation::export(model)),
        TargetFormat::Terraform => of_text(terraform::export(model)),
        TargetFormat::CdkJson => of_tree(cdk::export(model)),
        TargetFormat::Workbench => of_tree(workbench::export(model)),
        TargetFormat::OneTable => of_tree(onetable::export(model)),
        TargetFormat::JsonSchema => of_tree(json_schema::export(model)),
        TargetFormat::ElectroDb => of_text(electrodb::export(model)),
        TargetFormat::Rust => of_text(rust_source::export(model)),
        TargetFormat::TypeScript => of_text(typescript::export(model)),
        TargetFormat::Python => of_text(python::export(model)),
        TargetFormat::CreateTable => of_tree(table_shape::export(model)),
        TargetFormat::SchemaJson => of_tree(schema_json::export(model)),
    }
}

fn read_draft(format: SourceFormat, root: &At<'_>) -> Read<Draft> {
    match format {
        SourceFormat::Workbench => workbench::import(root),
        SourceFormat::OneTable => onetable::import(root),
        SourceFormat::SchemaJson => schema_json::import(root),
        SourceFormat::CloudFormation => cloudformation::import(root),
        SourceFormat::CreateTable => table_shape::import(root),
        SourceFormat::Terraform => terraform::import(root),
        SourceFormat::ElectroDb => electrodb::import(root),
    }
}

/// The model as it is read back from a file: checked, and with everything that follows from what
/// was said.
pub(super) fn settled(model: &Model) -> Result<Model, Vec<Diagnostic>> {
    let settled = read(&write(model, Format::Json), Format::Json);
    settled.map(|document| document.model).map_err(|mut diagnostics| {
        for diagnostic in &mut diagnostics {
            // Spans of a text that nobody sees would underline anything.
            diagnostic.span = None;
            diagnostic.notes.iter_mut().for_each(|note| note.span = None);
            diagnostic.message = format!("what was read makes no model: {}", diagnostic.message);
        }
        diagnostics
    })
}

/// `shop` of `folder/shop.json`.
fn name_of_file(file_name: &str) -> String {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let stem = name.split('.').next().unwrap_or(name);
    let name = super::case::kebab(stem);
    if name.is_empty() { "model".to_owned() } else { name }
}
