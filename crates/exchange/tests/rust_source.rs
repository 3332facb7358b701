//! The Rust source of every example compiles, and its functions build the keys of the samples.

mod exchange_models;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use exchange_models::examples;
use monotable_exchange::{TargetFormat, export};
use monotable_item::{Item, Path, Step, Type, Value};
use monotable_model::document::{Entity, Model};
use monotable_model::template::{Attributes, Template};

/// `Username` is `username`, as the export names parameters. Names of the examples are letters and
/// digits.
fn argument(entity: &Entity, item: &Item, path: &Path) -> Option<String> {
    let kind = entity.attribute(&path.root).map(|attribute| attribute.kind);
    let nested = path.steps.iter().any(|step| matches!(step, Step::Member(_)));
    match (item.value(path)?, kind) {
        (Value::String(text), _) => Some(format!("{text:?}")),
        (Value::Number(number), Some(Type::Number)) if !nested => Some(number.to_string()),
        (Value::Bool(flag), _) => Some(flag.to_string()),
        _ => None,
    }
}

/// The call of a function with the attributes of a sample.
fn call(entity: &Entity, template: &Template, item: &Item) -> Option<String> {
    let mut seen: Vec<&Path> = Vec::new();
    for path in template.paths() {
        if !seen.contains(&path) {
            seen.push(path);
        }
    }
    let arguments: Option<Vec<String>> =
        seen.into_iter().map(|path| argument(entity, item, path)).collect();
    Some(arguments?.join(", "))
}

/// An assertion for each key of each sample whose function the source documents.
fn assertions(model: &Model, module: &str, source: &str) -> Vec<String> {
    let mut assertions = Vec::new();
    for sample in &model.samples {
        let entity = model.entity(&sample.entity).unwrap();
        let table = model.tables_of(entity).next().unwrap();
        let item = model.item_of_sample(sample).unwrap();
        let key = entity.key.as_ref().unwrap();
        let keys = table.key_attributes().zip(key.partition.iter().chain(&key.sort));
        for (attribute, template) in keys {
            let Some(Value::String(built)) = item.get(&attribute.name) else { continue };
            let doc =
                format!("/// `{}` of {}: `{template}`\n    pub fn ", attribute.name, table.name);
            let Some((_, after)) = source.split_once(&doc) else { continue };
            let name = after.split('(').next().unwrap();
            let owner = owner_of(source, entity, &doc);
            let Some(arguments) = call(entity, template, &sample.attributes) else { continue };
            assertions.push(format!(
                "assert_eq!({module}::{owner}::{name}({arguments}), Some({built:?}.to_owned()));"
            ));
        }
    }
    assertions
}

/// The type whose `impl` a function stands in. Several entities may share a template, and then the
/// first will do.
fn owner_of(source: &str, _entity: &Entity, doc: &str) -> String {
    let before = source.split(doc).next().unwrap();
    let implementation = before.rsplit("\nimpl ").next().unwrap();
    implementation.split(' ').next().unwrap().to_owned()
}

#[test]
fn the_source_of_every_example_compiles_and_builds_the_same_keys() {
    let mut modules = String::new();
    let mut support = BTreeSet::new();
    let mut checks = BTreeSet::new();
    for model in examples() {
        let module = format!("m_{}", model.name.replace('-', "_"));
        let source = export(&model, TargetFormat::Rust).text;
        checks.extend(assertions(&model, &module, &source));
        // What all of them share is compiled once.
        let (own, shared) = source.split_once("\nmod parts {").unwrap();
        support.insert(format!("mod parts {{{shared}"));
        let own =
            own.replacen("#![allow(dead_code)]", "#![allow(dead_code)]\nuse crate::parts;", 1);
        modules.push_str(&format!("mod {module} {{\n{own}\n}}\n"));
    }
    assert_eq!(support.len(), 1);
    modules.extend(support);
    assert!(checks.len() > 200, "{}", checks.len());
    let checks: Vec<String> = checks.into_iter().collect();
    let program = format!(
        "#![deny(missing_docs)]\n//! Keys.\n{modules}\nfn main() {{\n{}\n}}\n",
        checks.join("\n")
    );
    run(&program);
}

/// Compiles a program with the compiler that compiled this test, and runs it.
#[track_caller]
fn run(program: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("exchange_rust");
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("keys.rs"), folder.join("keys"));
    std::fs::write(&source, program).unwrap();
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(compiler)
        .args(["--edition", "2024", "-C", "debuginfo=0", "-o"])
        .arg(&binary)
        .arg(&source)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
