//! The commands that read items.

use std::collections::BTreeSet;

use goldenscript::ArgumentConsumer;
use monotable_database::capacity::{Consistency, Consumed};
use monotable_database::schema::{IndexSchema, TableSchema};
use monotable_database::{ItemKey, Lookup, Output, Page, PageRequest, Span, StartKey, Table};
use monotable_item::Item;
use monotable_storage::Direction;

use super::ScriptResult;
use super::runner::{ScriptRunner, Show, item, key, number};
use super::write::print_stored;
use crate::support::store::Store;
use crate::support::{expression, json};

/// More pages than any script has: a script that reads more goes round in a circle.
const PAGES_MAX: usize = 10_000;

/// How much of several pages is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    Items,
    Pages,
}

impl<S: Store> ScriptRunner<S> {
    pub(super) fn get(&self, arguments: &mut ArgumentConsumer, show: &Show) -> ScriptResult {
        let table = self.table(arguments)?;
        let consistency = consistency(arguments)?;
        let mut keys = Vec::new();
        while let Some(text) = arguments.next_pos() {
            keys.push(key(&table, &item(Some(text))?)?);
        }
        let lookup = |key: &ItemKey| Lookup { table: table.clone(), key: key.clone() };
        let lookups: Vec<Lookup> = keys.iter().map(lookup).collect();
        let found = self.harness.run(self.harness.database().get_many(&lookups))?;
        let mut out = String::new();
        for (key, got) in keys.iter().zip(&found) {
            let alone = self.harness.run(self.harness.database().get(&table, key, consistency))?;
            assert_eq!(alone.item, got.item, "get and get_many agree");
            out += &format!("{}\n", print_stored(&got.item));
            if show.units {
                let table_units = got.units(consistency);
                let consumed = Consumed::on_table(table_units);
                out += &self.print_units(&table, &consumed);
            }
        }
        Ok(out)
    }

    pub(super) fn query(&self, arguments: &mut ArgumentConsumer, show: &Show) -> ScriptResult {
        let table = self.table(arguments)?;
        let schema = table.schema();
        let condition = arguments.next_pos().ok_or("a key condition is missing")?;
        let index = index(schema, arguments)?;
        let key = index.map_or(&schema.key, |index| &index.key);
        let span = Span::Partition(expression::selection(key, condition)?);
        self.read(&table, index, span, arguments, show)
    }

    pub(super) fn scan(&self, arguments: &mut ArgumentConsumer, show: &Show) -> ScriptResult {
        let table = self.table(arguments)?;
        let schema = table.schema();
        let index = index(schema, arguments)?;
        let span = match arguments.take_key("segment").and_then(|text| text.split_once('/')) {
            Some((segment, total)) => {
                Span::Segment { segment: segment.parse()?, total: total.parse()? }
            }
            None => Span::Everything,
        };
        self.read(&table, index, span, arguments, show)
    }

    /// Scans by segments, and checks that together they hold what one scan holds, each item once.
    pub(super) fn segments(&self, arguments: &mut ArgumentConsumer) -> ScriptResult {
        let table = self.table(arguments)?;
        let schema = table.schema();
        let index = index(schema, arguments)?;
        let totals = arguments.take_key("total").ok_or("total= is missing")?;
        let whole = self.span_items(&table, index, Span::Everything)?;
        let mut out = format!("{} items\n", whole.len());
        for total in totals.split(',') {
            let total: u32 = total.parse()?;
            let (mut seen, mut filled) = (Vec::new(), 0);
            for segment in 0..total {
                let items = self.span_items(&table, index, Span::Segment { segment, total })?;
                filled += usize::from(!items.is_empty());
                seen.extend(items);
            }
            let distinct: BTreeSet<&String> = seen.iter().collect();
            assert_eq!(distinct.len(), seen.len(), "an item is in two segments of {total}");
            assert_eq!(seen, whole, "the segments of {total}, one after the other, are the scan");
            out += &format!("{total} segments: {filled} with items\n");
        }
        Ok(out)
    }

    fn span_items(
        &self,
        table: &Table,
        index: Option<&IndexSchema>,
        span: Span,
    ) -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let mut request = whole_span(index, span);
        let mut items = Vec::new();
        loop {
            let page = self.harness.run(self.harness.database().page(table, &request))?;
            items.extend(page.items.into_iter().map(|item| print_stored(&Some(item))));
            let Some(last_key) = page.last_key else { return Ok(items) };
            request.start = Some(StartKey::new(table.schema(), index, &last_key)?);
        }
    }

    fn read(
        &self,
        table: &Table,
        index: Option<&IndexSchema>,
        span: Span,
        arguments: &mut ArgumentConsumer,
        show: &Show,
    ) -> ScriptResult {
        let schema = table.schema();
        let mut request = whole_span(index, span);
        request.consistency = consistency(arguments)?;
        request.limit = number(arguments.take_key("limit"))?;
        request.filter = arguments.take_key("filter").map(expression::condition).transpose()?;
        request.fetch_items = flag(arguments, "fetch")?;
        if flag(arguments, "backward")? {
            request.direction = Direction::Backward;
        }
        if let Some(paths) = arguments.take_key("project") {
            request.output = Output::Parts(expression::projection(paths)?);
        }
        if flag(arguments, "count")? {
            request.output = Output::Count;
        }
        if let Some(start) = arguments.take_key("start") {
            let start = StartKey::new(schema, index, &json::item(start)?)?;
            if !request.span.contains(schema, index, &start) {
                return Err("the start key is outside of what is read".into());
            }
            request.start = Some(start);
        }
        let print = match arguments.take_key("print") {
            None | Some("items") => Print::Items,
            Some("pages") => Print::Pages,
            Some(other) => return Err(format!("cannot print {other}").into()),
        };
        let pages_max = match arguments.take_key("pages") {
            Some("all") => PAGES_MAX,
            _ => 1,
        };
        self.read_pages(table, request, (index, pages_max, print), show)
    }

    fn read_pages(
        &self,
        table: &Table,
        mut request: PageRequest,
        (index, pages_max, print): (Option<&IndexSchema>, usize, Print),
        show: &Show,
    ) -> ScriptResult {
        let schema = table.schema();
        let mut out = String::new();
        for _ in 0..pages_max {
            let page = self.harness.run(self.harness.database().page(table, &request))?;
            out += &print_page(&page, print);
            if show.units {
                out += &self.print_units(table, &page.consumed);
            }
            let Some(last_key) = page.last_key else { return Ok(out) };
            request.start = Some(StartKey::new(schema, index, &last_key)?);
        }
        if pages_max == PAGES_MAX { Err("the pages do not end".into()) } else { Ok(out) }
    }
}

fn print_page(page: &Page, print: Print) -> String {
    let mut out = String::new();
    if print == Print::Items {
        out.extend(page.items.iter().map(|item| print_stored(&Some(item.clone())) + "\n"));
    }
    let last = page
        .last_key
        .as_ref()
        .map_or("end".to_owned(), |last: &Item| format!("last {}", json::print_item(last)));
    out + &format!("{} of {}, {last}\n", page.count, page.scanned_count)
}

fn whole_span(index: Option<&IndexSchema>, span: Span) -> PageRequest {
    PageRequest {
        index: index.map(|index| index.id),
        span,
        direction: Direction::Forward,
        start: None,
        limit: None,
        consistency: Consistency::Eventual,
        filter: None,
        output: Output::Whole,
        fetch_items: false,
    }
}

fn index<'s>(
    schema: &'s TableSchema,
    arguments: &mut ArgumentConsumer,
) -> Result<Option<&'s IndexSchema>, String> {
    let Some(name) = arguments.take_key("index") else { return Ok(None) };
    schema.index(name).map(Some).ok_or(format!("index {name} not found"))
}

fn consistency(arguments: &mut ArgumentConsumer) -> Result<Consistency, std::str::ParseBoolError> {
    let is_consistent = flag(arguments, "consistent")?;
    Ok(if is_consistent { Consistency::Strong } else { Consistency::Eventual })
}

fn flag(arguments: &mut ArgumentConsumer, name: &str) -> Result<bool, std::str::ParseBoolError> {
    arguments.take_key(name).map_or(Ok(false), str::parse)
}
