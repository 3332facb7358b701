//! The items that a chart draws in place of the model's samples.

use anyhow::Result;
use clap::Args;
use monotable_item::Item;
use monotable_lint::StoredItem;
use monotable_model::document::{Model, Sample};
use monotable_model::recognition::{Form, Recognizer, View};
use monotable_seed::{SeedItem, SeedSettings, generate};

use crate::commands::model::lint::{LIVE, exported, live};
use crate::commands::model::rendering::counted;
use crate::endpoint::EndpointArguments;

/// The word for generated items.
const SEEDED: &str = "seeded";

/// Which items are drawn.
#[derive(Debug, Args)]
pub(in crate::commands::model) struct DataArguments {
    /// Draw these items: a file, dynamodb://TABLE or seeded; the samples without it
    ///
    /// A file is an export of a table (lines of {"Item": {…}}) or the output of `aws dynamodb
    /// scan`; with several tables in the model it is TABLE=FILE. dynamodb://TABLE reads a live
    /// table at the endpoint. `seeded` items are those of `model seed`.
    #[arg(long, value_name = "SOURCE", verbatim_doc_comment)]
    data: Option<String>,

    /// Draw at most this many items of --data
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    items_max: usize,

    #[command(flatten)]
    endpoint: EndpointArguments,
}

impl DataArguments {
    /// Puts the items in place of the samples, if items are asked for.
    pub(in crate::commands::model) fn put_into(&self, model: &mut Model) -> Result<()> {
        let Some(source) = &self.data else { return Ok(()) };
        model.samples = match source.strip_prefix(LIVE) {
            Some(table) => {
                let items = live(model, table, &self.endpoint, self.items_max)?;
                samples_of(model, &items)
            }
            None if source == SEEDED => self.seeded(model)?,
            None => {
                let mut items = exported(model, source)?;
                items.truncate(self.items_max);
                samples_of(model, &items)
            }
        };
        Ok(())
    }

    /// Generated items: of every entity some, as many as there is room for.
    fn seeded(&self, model: &Model) -> Result<Vec<Sample>> {
        let items = model.entities.iter().filter(|it| it.key.is_some() && !it.is_embedded());
        let names: Vec<&String> = items.map(|entity| &entity.name).collect();
        let each = (self.items_max / names.len().max(1)).max(1) as u64;
        let counts = names.into_iter().map(|name| (name.clone(), each)).collect();
        let generated = generate(model, &SeedSettings { counts, ..SeedSettings::default() })?;
        let sample = |item: SeedItem| {
            let table = model.tables.iter().find(|table| table.is_called(&item.table));
            let table = table.map(|table| table.name.clone());
            Sample {
                entity: item.entity,
                table,
                without: Vec::new(),
                shard: item.shard,
                attributes: item.attributes,
            }
        };
        Ok(generated.into_iter().map(sample).collect())
    }
}

/// Stored items as samples of the entities that they are. Others are counted and left out.
fn samples_of(model: &Model, items: &[StoredItem]) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut unknown = 0;
    for StoredItem { table, item } in items {
        let Some(table) = model.table(table) else { continue };
        let recognizer = Recognizer::new(model, table);
        let entity = recognizer.recognise(item).likeliest();
        let mut views = recognizer.candidates(item).into_iter();
        let view = views.find(|view| entity.is_some_and(|it| it.name == view.form().entity.name));
        let sample = view.map(|view| sample(&view));
        match sample.filter(|sample| model.item_of_sample(sample).is_ok()) {
            Some(sample) => samples.push(sample),
            None => unknown += 1,
        }
    }
    if unknown > 0 {
        let items = counted(unknown, "item is", "items are");
        eprintln!("{items} of no entity and not drawn: `model lint --data` says why");
    }
    samples
}

/// An item by its attributes, some of which may stand in its key alone.
fn sample(view: &View<'_>) -> Sample {
    let (Form { table, entity, .. }, item) = (view.form(), view.item());
    let lacks = |index: &&String| {
        let index = table.index(index);
        index.is_some_and(|index| index.key_attributes().any(|key| !item.contains_key(&key.name)))
    };
    let names = entity.attributes.iter().map(|attribute| &attribute.name);
    let attributes: Item =
        names.filter_map(|name| Some((name.clone(), view.get(name)?.clone()))).collect();
    Sample {
        entity: entity.name.clone(),
        table: Some(table.name.clone()),
        without: entity.indexes.iter().map(|keys| &keys.index).filter(lacks).cloned().collect(),
        shard: view.shard(),
        attributes,
    }
}
