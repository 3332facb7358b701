//! Which entity an item is, in a design with a dozen of them.

use anyhow::{Context, Result, ensure};
use monotable_item::{Item, Value};
use monotable_model::document::{Format, Model, read};
use monotable_model::recognition::Recognizer;

use crate::repeat;

/// Nested collections whose keys begin alike: a hard one among real designs.
const MODEL: &str = "github-backend";

/// By the texts that its key begins with.
pub(crate) fn by_key(iterations: u64) -> Result<()> {
    let model = model()?;
    recognise(&model, &comment(&model)?, iterations)
}

/// By the type attribute, in the same design.
pub(crate) fn by_type(iterations: u64) -> Result<()> {
    let mut model = model()?;
    let table = model.tables.first_mut().context("the model has a table")?;
    table.type_attribute = Some("Kind".to_owned());
    let mut comment = comment(&model)?;
    comment.insert("Kind".to_owned(), Value::from("IssueComment"));
    recognise(&model, &comment, iterations)
}

fn recognise(model: &Model, item: &Item, iterations: u64) -> Result<()> {
    let table = model.tables.first().context("the model has a table")?;
    let recognizer = Recognizer::new(model, table);
    repeat::calls(iterations, |_| {
        let entity = recognizer.recognise(item).decided();
        ensure!(entity.is_some_and(|entity| entity.name == "IssueComment"), "another entity");
        Ok(())
    })
}

fn model() -> Result<Model> {
    let text = monotable_model_fixture::example(MODEL).text;
    let document = read(&text, Format::Toml);
    Ok(document.ok().with_context(|| format!("{MODEL} is not a model"))?.model)
}

/// A comment on an issue.
fn comment(model: &Model) -> Result<Item> {
    let sample = model.samples.iter().find(|sample| sample.entity == "IssueComment");
    Ok(model.item_of_sample(sample.context("the model has a comment")?)?)
}
