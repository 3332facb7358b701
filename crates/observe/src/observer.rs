//! The observer: the models that are loaded, and what requests on their tables are.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use monotable_item::Value;
use monotable_item::stored::ItemView;
use monotable_model::diagnostic::SourceFile;

use crate::attribution::{Attribution, EntityChoices, EntityItems, FittingMembers};
use crate::call::{CalledKey, CalledTable, Group, ItemCall, ItemKind, KeyBytes, PageCall};
use crate::diagnosis::diagnose;
use crate::entity_forms::Candidates;
use crate::misfit::{Misfit, MisfitOutcome};
use crate::models::{FIRST_ACCOUNT, LoadError, LoadedModel, ModelReader, Models, SentModel};
use crate::report::{ModelReport, Report};
use crate::shape::{Choice, GroupShape, SentMembers};
use crate::watched_keys::{KeyTables, WatchedKeys};
use crate::watched_table::WatchedTable;

/// How many tables a thread remembers.
const REMEMBERED_MAX: usize = 64;

/// What becomes of writes that do not fit a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CheckMode {
    /// They are not looked at.
    Off,
    /// They are reported.
    #[default]
    Warn,
    /// They are reported and refused.
    Reject,
}

/// See the module.
#[derive(Debug)]
pub struct Observer {
    read: ModelReader,
    mode: CheckMode,
    /// How many threads count requests apart from each other.
    threads: usize,
    /// Whether there is anything to see.
    is_active: AtomicBool,
    /// Whether the keys of tables without a model are watched.
    watches_keys: AtomicBool,
    keys: KeyTables,
    /// Tells the states of all observers of the process apart.
    generation: AtomicU64,
    models: RwLock<Arc<Models>>,
}

impl Default for Observer {
    /// An observer without models, which reads them without a linter.
    fn default() -> Observer {
        Observer::new(monotable_model::document::read, CheckMode::default())
    }
}

/// What a thread remembers, so that requests take no lock.
struct Remembered {
    generation: u64,
    tables: Vec<(u32, Option<ModelTable>)>,
}

/// What is seen of the item of a call.
struct SeenItem {
    /// The entities that it can be. If it is put, these are fewer than its key says.
    candidates: Candidates,
    /// Whether it is put, was checked, and is of the model.
    is_fitting: bool,
    /// The bytes of an item that is put whole, as DynamoDB counts them; 0 for all others.
    put_bytes: u64,
}

/// A model, and the number of a table in it.
type ModelTable = (Arc<LoadedModel>, usize);

thread_local! {
    static REMEMBERED: RefCell<Remembered> =
        const { RefCell::new(Remembered { generation: 0, tables: Vec::new() }) };
}

impl Observer {
    /// An observer without models.
    pub fn new(read: ModelReader, mode: CheckMode) -> Observer {
        Observer {
            read,
            mode,
            threads: 1,
            is_active: AtomicBool::new(false),
            watches_keys: AtomicBool::new(false),
            keys: KeyTables::default(),
            generation: AtomicU64::new(next_generation()),
            models: RwLock::default(),
        }
    }

    /// The same observer, of requests that so many threads work on. They count apart from each
    /// other.
    #[must_use]
    pub fn for_threads(mut self, threads: usize) -> Observer {
        self.threads = threads;
        self
    }

    /// Begins to take part in calls, whether there is a model or not: keys are to be watched.
    pub fn watch_keys(&self) {
        self.watches_keys.store(true, Ordering::Relaxed);
        self.is_active.store(true, Ordering::Relaxed);
    }

    /// Returns whether a model has a table.
    pub fn knows(&self, table: CalledTable<'_>) -> bool {
        self.table(table).is_some()
    }

    /// Counts a request for a key of a table or index that no model has.
    pub fn count_key(&self, table: CalledTable<'_>, key: CalledKey<'_>) {
        self.keys.with(table, key.index, |known| {
            known.keys.accessed().add(key.hash, || key.text());
            key.item_hash().into_iter().for_each(|hash| {
                known.items.accessed().add(hash, || key.item_text());
            });
        });
    }

    /// Counts a request that is throttled for its key, of a table with a model or of one whose keys
    /// are watched without.
    pub fn count_throttled(&self, table: CalledTable<'_>, key: CalledKey<'_>) {
        let add = |keys: &WatchedKeys| keys.throttled().add(key.hash, || key.text());
        match self.table(table) {
            Some((model, position)) => {
                let watched = model.tables.get(position);
                watched.and_then(|watched| watched.keys_of(key.index)).into_iter().for_each(add);
            }
            None => self.keys.with(table, key.index, |known| {
                add(&known.keys);
                key.item_hash().into_iter().for_each(|hash| {
                    known.items.throttled().add(hash, || key.item_text());
                });
            }),
        }
    }

    /// Whether there is anything to see.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.is_active.load(Ordering::Relaxed)
    }

    /// What becomes of writes that do not fit.
    pub fn mode(&self) -> CheckMode {
        self.mode
    }

    /// The models that are loaded.
    pub fn models(&self) -> Vec<Arc<LoadedModel>> {
        self.current().all.clone()
    }

    /// Loads a model of the [first account](FIRST_ACCOUNT): see [`load_for`](Observer::load_for).
    pub fn load(&self, source: SourceFile, now_millis: u64) -> Result<String, LoadError> {
        self.load_for(FIRST_ACCOUNT, source, now_millis)
    }

    /// Loads a model of the tables of an account, in the place of one of the same name. If anything
    /// is wrong with it, all stays as it is. Returns the name of the model.
    pub fn load_for(
        &self,
        account: &str,
        source: SourceFile,
        now_millis: u64,
    ) -> Result<String, LoadError> {
        let sent = SentModel { account, source, now_millis, threads: self.threads };
        let model = LoadedModel::load(sent, self.read)?;
        let name = model.name().to_owned();
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let changed = models.with(model)?;
        self.put(&mut models, changed);
        Ok(name)
    }

    /// Forgets a model and all that was counted of it. Returns whether there was one.
    pub fn unload(&self, name: &str) -> bool {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let changed = models.without(name);
        let is_known = changed.is_some();
        if let Some(changed) = changed {
            self.put(&mut models, changed);
        }
        is_known
    }

    /// Everything that was seen.
    pub fn report(&self, now_millis: u64) -> Report {
        let models = self.current();
        let models = models.all.iter().map(|model| ModelReport::new(model, now_millis));
        Report { mode: self.mode, models: models.collect(), tables: self.keys.report() }
    }

    /// What was seen of the models without their tables: the keys that are asked for most take long
    /// to look through.
    pub fn counts(&self, now_millis: u64) -> Vec<ModelReport> {
        let models = self.current();
        models.all.iter().map(|model| ModelReport::counts(model, now_millis)).collect()
    }

    /// Forgets the keys of a table and its indexes that no model has, but of those that are kept.
    pub fn keep_keys(&self, table: u32, is_kept: impl Fn(Option<&str>) -> bool) {
        self.keys.keep(table, is_kept);
    }

    /// What a call on one item is in its model; nothing if no model has its table.
    pub fn attribute_item(
        &self,
        table: CalledTable<'_>,
        item: &ItemCall<'_>,
    ) -> Option<Attribution> {
        let (model, position) = self.table(table)?;
        let watched = model.tables.get(position)?;
        watched.count_key(item);
        let seen = self.look_at(watched, item);
        let mut fitting = FittingMembers::default();
        if seen.is_fitting {
            fitting.add(0);
        }
        let (choice, entity) = model.items.choose(item, &seen.candidates);
        let entities = EntityItems { choice: entity, count: 1, put_bytes: seen.put_bytes };
        Some(Attribution {
            choice,
            part: watched.first_part,
            entities: EntityChoices::One(entities),
            is_write: item.kind != ItemKind::Get,
            fitting,
            model,
        })
    }

    /// What a query or a scan is in its model; nothing if no model has its table.
    pub fn attribute_page(
        &self,
        table: CalledTable<'_>,
        page: &PageCall<'_>,
    ) -> Option<Attribution> {
        let (model, position) = self.table(table)?;
        let watched = model.tables.get(position)?;
        let counted = page.partition.zip(page.counted_hash);
        if let Some(((partition, hash), keys)) = counted.zip(watched.keys_of(page.index)) {
            keys.accessed().add(hash, || values_text(partition));
        }
        let choice = watched.choose(page);
        let part = match choice {
            Choice::Pattern(_) => watched.first_part,
            Choice::Undecided | Choice::Unmatched => watched.part_of(page.index),
        };
        let (entities, fitting) = (EntityChoices::OfPattern, FittingMembers::default());
        Some(Attribution { choice, part, entities, is_write: false, fitting, model })
    }

    /// What a batch or transaction is in its model, which is that of the first table that has one;
    /// nothing if none has. A member whose key cannot be read is none, and one of another model
    /// is counted as a request for its key only.
    pub fn attribute_group<'a>(
        &self,
        group: Group,
        members: impl Iterator<Item = Option<(CalledTable<'a>, ItemCall<'a>)>>,
    ) -> Option<Attribution> {
        // With the part of it that is counted if no pattern is known.
        let mut model: Option<(Arc<LoadedModel>, usize)> = None;
        // Most members are about the table of the one before.
        let mut found: Option<(u32, Option<ModelTable>)> = None;
        let mut sent: Vec<SentMembers> = Vec::new();
        // The position in these of the member before.
        let mut before = 0;
        let mut fitting = FittingMembers::default();
        for (number, member) in members.enumerate() {
            let Some((called, item)) = &member else {
                before = SentMembers::add(&mut sent, ItemKind::Check, &Candidates::default(), 0);
                continue;
            };
            let (_, table) = match &found {
                Some(known) if known.0 == called.id => known,
                Some(_) | None => found.insert((called.id, self.table(*called))),
            };
            let watched = table.as_ref().and_then(|(of_table, position)| {
                let watched = of_table.tables.get(*position)?;
                watched.count_key(item);
                let (model, _) =
                    model.get_or_insert_with(|| (of_table.clone(), watched.first_part));
                Arc::ptr_eq(model, of_table).then_some(watched)
            });
            let Some(watched) = watched else {
                before = SentMembers::add(&mut sent, item.kind, &Candidates::default(), 0);
                continue;
            };
            let known = sent.get_mut(before).and_then(|one| self.look_again(watched, item, one));
            let is_fitting = known.unwrap_or_else(|| {
                let seen = self.look_at(watched, item);
                before = SentMembers::add(&mut sent, item.kind, &seen.candidates, seen.put_bytes);
                seen.is_fitting
            });
            if is_fitting && FittingMembers::covers(number) {
                fitting.add(number);
            }
        }
        let (model, part) = model?;
        let rated = model.groups.iter().filter_map(|shape| shape.likeness(group, &sent));
        let choice = Choice::best(rated);
        let is_it = |shape: &&GroupShape| {
            choice == Choice::Pattern(shape.pattern) && shape.likeness(group, &sent).is_some()
        };
        if sent.iter().any(|one| one.candidates.only().is_none())
            && let Some(shape) = model.groups.iter().find(is_it)
        {
            shape.decide(&mut sent);
        }
        Some(Attribution {
            choice,
            part,
            entities: EntityChoices::Several(sent.iter().map(SentMembers::entity_items).collect()),
            is_write: matches!(group, Group::BatchWrite | Group::TransactWrite),
            fitting,
            model,
        })
    }

    /// Looks at the item of a call as one of those before, which most members of a batch are: if
    /// the same is done to it and its key is that of their entity and no other. Returns whether it
    /// is put, was checked, and is of the model; nothing if it is to be looked at by itself.
    #[inline]
    fn look_again(
        &self,
        watched: &WatchedTable,
        call: &ItemCall<'_>,
        before: &mut SentMembers,
    ) -> Option<bool> {
        let entity = before.candidates.only().filter(|_| before.kind == call.kind)?;
        if !watched.forms.is_only(entity, call.partition, call.sort) {
            return None;
        }
        before.count += 1;
        let Some(put) = call.put() else { return Some(false) };
        before.put_bytes += put.size_bytes() as u64;
        let key = [Some(&call.partition), call.sort.as_ref()];
        Some(self.mode != CheckMode::Off && watched.check.fits(entity, key, &put))
    }

    /// Looks at the item of a call.
    #[inline]
    fn look_at(&self, watched: &WatchedTable, call: &ItemCall<'_>) -> SeenItem {
        let candidates = watched.forms.candidates(call.partition, call.sort);
        let Some(put) = call.put() else {
            return SeenItem { candidates, is_fitting: false, put_bytes: 0 };
        };
        let put_bytes = put.size_bytes() as u64;
        let is_checked = self.mode != CheckMode::Off;
        let key = [Some(&call.partition), call.sort.as_ref()];
        if let Some(entity) = candidates.only() {
            let is_fitting = is_checked && watched.check.fits(entity, key, &put);
            return SeenItem { candidates, is_fitting, put_bytes };
        }
        let fitting = watched.check.fitting(&candidates, key, &put);
        let is_fitting = !fitting.all().is_empty();
        let candidates = if is_fitting { fitting } else { candidates };
        SeenItem { candidates, is_fitting: is_fitting && is_checked, put_bytes }
    }

    /// Says what is wrong with an item of this key that a write would make, in its stored form.
    /// Nothing is counted, because the write may come to nothing.
    pub fn check(
        &self,
        table: CalledTable<'_>,
        (partition, sort): (KeyBytes<'_>, Option<KeyBytes<'_>>),
        item: &[u8],
    ) -> Result<(), Misfit> {
        if self.mode == CheckMode::Off {
            return Ok(());
        }
        let Some((model, position)) = self.table(table) else { return Ok(()) };
        let Some(watched) = model.tables.get(position) else { return Ok(()) };
        let Ok(view) = ItemView::new(item) else { return Ok(()) };
        let candidates = watched.forms.candidates(partition, sort);
        let key = [Some(&partition), sort.as_ref()];
        if candidates.all().iter().any(|entity| watched.check.fits(*entity, key, &view)) {
            return Ok(());
        }
        let described = model.model.tables.get(watched.position);
        let diagnosed = |own| diagnose(&model.model, (own, table.name), &candidates, item);
        let misfit = described.and_then(diagnosed);
        misfit.map_or(Ok(()), Err)
    }

    /// Notes that an item was written or refused that [`check`](Observer::check) has found
    /// something wrong with.
    pub fn note_misfit(&self, table: CalledTable<'_>, misfit: &Misfit, became: MisfitOutcome) {
        if let Some((model, _)) = self.table(table) {
            model.drift.note(misfit.clone(), became);
        }
    }

    fn current(&self) -> Arc<Models> {
        self.models.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, models: &mut Arc<Models>, changed: Models) {
        let watches_keys = self.watches_keys.load(Ordering::Relaxed);
        self.is_active.store(watches_keys || !changed.all.is_empty(), Ordering::Relaxed);
        *models = Arc::new(changed);
        self.generation.store(next_generation(), Ordering::Release);
    }

    /// The model that has a table.
    fn table(&self, table: CalledTable<'_>) -> Option<ModelTable> {
        let generation = self.generation.load(Ordering::Acquire);
        REMEMBERED.with_borrow_mut(|remembered| match remembered.find(generation, table.id) {
            Some(found) => found.clone(),
            None => self.remember(remembered, generation, table),
        })
    }

    /// Looks for the model that has a table, and remembers it.
    #[cold]
    fn remember(
        &self,
        remembered: &mut Remembered,
        generation: u64,
        table: CalledTable<'_>,
    ) -> Option<ModelTable> {
        if remembered.generation != generation || remembered.tables.len() >= REMEMBERED_MAX {
            *remembered = Remembered { generation, tables: Vec::new() };
        }
        let found = self.current().table(table);
        remembered.tables.push((table.id, found.clone()));
        found
    }
}

impl Remembered {
    /// What is known of a table, if that still holds.
    #[inline]
    fn find(&self, generation: u64, table: u32) -> Option<&Option<ModelTable>> {
        let mut tables = self.tables.iter().filter(|_| self.generation == generation);
        tables.find(|(id, _)| *id == table).map(|(_, found)| found)
    }
}

/// A number that no state of any observer had before.
fn next_generation() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl WatchedTable {
    /// Counts a call on an item as a request for its key, unless it is counted already.
    #[inline]
    fn count_key(&self, item: &ItemCall<'_>) {
        if let Some(hash) = item.counted_hash {
            self.keys.accessed().add(hash, || key_text(item.partition));
        }
    }
}

impl CalledKey<'_> {
    fn text(&self) -> String {
        self.values.iter().map(|one| key_text(*one)).collect::<Vec<_>>().join(", ")
    }

    /// The key with its sort key.
    fn item_text(&self) -> String {
        let sort = self.sort.map(key_text).unwrap_or_default();
        format!("{}, {sort}", self.text())
    }

    /// The hash of the key with its sort key, if it is that of an item.
    fn item_hash(&self) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.hash);
        hasher.write(self.sort?.bytes());
        Some(hasher.finish())
    }
}

fn key_text(key: KeyBytes<'_>) -> String {
    match key {
        KeyBytes::Text(bytes) | KeyBytes::Number(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        KeyBytes::Binary(bytes) => hexadecimal(bytes),
    }
}

fn values_text(values: &[Value]) -> String {
    let text = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        other => KeyBytes::of_value(other).map(key_text).unwrap_or_default(),
    };
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
