//! How much may be loaded.

use std::fmt::Write;

use monotable_model::diagnostic::SourceFile;
use monotable_observe::{LoadError, Observer};

fn model(name: &str, entities: usize) -> SourceFile {
    let mut text = format!(
        "format = 1\nname = \"{name}\"\n\
         [tables.table-{name}]\npartition_key = \"pk\"\nsort_key = \"sk\"\n"
    );
    for number in 0..entities {
        writeln!(
            text,
            "[entities.E{number}]\n\
             key = {{ partition = \"P#{{id}}\", sort = \"E{number}#{{x}}\" }}\n\
             attributes = {{ id = \"S\", x = \"S\" }}"
        )
        .unwrap();
    }
    SourceFile::new("model.toml", text)
}

#[test]
fn a_model_that_is_too_large_is_refused_before_it_is_planned() {
    let observer = Observer::default();
    let loaded = observer.load(model("large", 1_001), 0);
    assert!(matches!(loaded, Err(LoadError::TooMany)), "{loaded:?}");
    assert!(observer.models().is_empty() && !observer.is_active());
}

#[test]
fn so_many_models_are_loaded_and_one_of_them_can_be_replaced() {
    let observer = Observer::default();
    for number in 0..64 {
        observer.load(model(&format!("m{number}"), 1), 0).unwrap();
    }
    let loaded = observer.load(model("one-more", 1), 0);
    assert!(matches!(loaded, Err(LoadError::TooMany)), "{loaded:?}");
    observer.load(model("m7", 2), 0).unwrap();
    assert_eq!(observer.models().len(), 64);
    assert!(observer.unload("m7"));
    observer.load(model("one-more", 1), 0).unwrap();
}
