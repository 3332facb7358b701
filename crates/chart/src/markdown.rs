//! The chart as Markdown, for a page beside the code. The diagram is Mermaid text, which many
//! places draw.

use monotable_plan::cost::number;

use super::collection::{AbsentItem, Cell, CollectionTable};
use super::display_width::printable;
use super::entity_chart::EntityChart;
use super::er::render_mermaid;
use super::part::{Part, Selection};
use super::pattern_table::PatternRow;
use super::request_row::RequestRow;
use super::sheet::Chart;
use super::view::View;

/// Writes the selected parts of a chart, with headings from the second level on.
pub fn render_markdown(chart: &Chart, selection: &Selection) -> String {
    let mut text = format!("# {}\n", plain(chart.heading()));
    if let Some(description) = &chart.description {
        text += &format!("\n{}\n", plain(description));
    }
    if selection.has(Part::Diagram) {
        let diagram = render_mermaid(&chart.diagram);
        text += &format!("\n## Entities and relationships\n\n```mermaid\n{diagram}```\n");
    }
    if selection.has(Part::Entities) {
        text += "\n## Entity charts\n";
        for one in chart.selected_entity_charts(selection) {
            text += &entity_chart(one);
        }
    }
    if selection.has(Part::Patterns) && !chart.patterns.is_empty() {
        text += "\n## Access patterns\n\n";
        text += &patterns(&chart.patterns);
    }
    if selection.has(Part::Collections) {
        text += "\n## Item collections\n";
        for one in chart.selected_collections(selection) {
            text += &collection(one);
        }
    }
    text
}

fn entity_chart(chart: &EntityChart) -> String {
    let mut head = vec!["Entity".to_owned()];
    head.extend(chart.view.key().map(|(role, name)| format!("{} ({role})", code(name))));
    if chart.is_sparse() {
        head.push("Present when".to_owned());
    }
    let rows = chart.rows.iter().map(|row| {
        let mut cells = vec![format!("**{}**", plain(&row.entity))];
        cells.extend(row.templates.iter().map(|template| code(template)));
        if chart.is_sparse() {
            cells.push(row.condition.as_deref().map(code).unwrap_or_default());
        }
        cells
    });
    let mut text = view_heading(&chart.view);
    text += &if chart.rows.is_empty() { "No entity.\n".to_owned() } else { table(&head, rows) };
    text
}

fn patterns(patterns: &[PatternRow]) -> String {
    let head = [
        "Pattern",
        "Operation",
        "On",
        "Key condition",
        "Filter",
        "Order, limit",
        "Rows",
        "Read units",
        "Write units",
    ];
    let units = |units: f64| if units > 0.0 { number(units) } else { String::new() };
    let row = |pattern: &PatternRow| {
        let served = if pattern.is_served() { "" } else { " **not served**" };
        let targets = distinct(pattern.requests.iter().filter_map(|one| one.target.clone()));
        let requests = pattern.requests.iter().map(|request| request_words(request, &targets));
        let reasons = pattern.unserved.iter().map(|reason| plain(reason));
        let filters = pattern.requests.iter().filter_map(|request| request.filter.as_deref());
        let orders = pattern.requests.iter().map(RequestRow::order_words);
        vec![
            format!("{}{served}", plain(&pattern.name)),
            pattern.operation.to_owned(),
            targets.iter().map(|target| plain(target)).collect::<Vec<_>>().join(", "),
            requests.chain(reasons).collect::<Vec<_>>().join("<br>"),
            distinct(filters.map(code)).join("<br>"),
            distinct(orders.filter(|order| !order.is_empty())).join("<br>"),
            pattern.rows.map(number).unwrap_or_default(),
            units(pattern.read_units),
            units(pattern.write_units),
        ]
    };
    table(&head.map(str::to_owned), patterns.iter().map(row))
}

/// The texts without repetition, in the order of their first.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}

/// A request on one line. It names its table or index where the pattern has several.
fn request_words(request: &RequestRow, targets: &[String]) -> String {
    let key = request.key.as_deref().map(code);
    let step = request.step.as_deref().map(|step| format!("*{}*: ", plain(step)));
    let call = (request.is_member || key.is_none()).then(|| format!("{} ", request.operation));
    let target = request.target.as_deref().filter(|_| targets.len() > 1);
    let target = target.map(|target| format!("{}: ", plain(target)));
    let change = request.change.as_deref().map(|change| format!(": {}", code(change)));
    let condition = request.condition.as_deref().map(|text| format!(" if {}", code(text)));
    let remarks = request.remarks.iter().map(|remark| format!(", {}", plain(remark)));
    let parts = [step, call, target, key, change, condition].into_iter().flatten();
    parts.chain(remarks).collect::<String>().trim_end().to_owned()
}

fn collection(table_of: &CollectionTable) -> String {
    let view = &table_of.view;
    let is_sorted = !view.sort_key.is_empty();
    let mut head: Vec<String> = view.partition_key.iter().map(|name| code(name)).collect();
    head.extend(is_sorted.then(|| "↓".to_owned()));
    head.extend(view.sort_key.iter().map(|name| code(name)));
    head.extend(["Entity", "Attributes"].map(str::to_owned));
    let mut rows = Vec::new();
    for partition in &table_of.partitions {
        for (number, item) in partition.items.iter().enumerate() {
            let key = partition.key.iter().map(|cell| if number == 0 { &cell.value } else { "" });
            let mut cells: Vec<String> = key.map(code).collect();
            cells.extend(is_sorted.then(|| (number + 1).to_string()));
            cells.extend(item.sort.iter().map(|cell| code(&cell.value)));
            cells.push(format!("**{}**", plain(&item.entity)));
            let attributes: Vec<String> = item.attributes.iter().map(named).collect();
            cells.push(attributes.join(", "));
            rows.push(cells);
        }
    }
    let mut text = view_heading(view);
    text += &if rows.is_empty() { "No item.\n".to_owned() } else { table(&head, rows.into_iter()) };
    text += &absent(&table_of.absent);
    text + &table_of.faults.iter().map(|fault| format!("\n{}\n", plain(fault))).collect::<String>()
}

fn named(cell: &Cell) -> String {
    format!("{} {}", plain(&cell.name), code(&cell.value))
}

fn absent(absent: &[AbsentItem]) -> String {
    if absent.is_empty() {
        return String::new();
    }
    let items = if absent.len() == 1 { "item" } else { "items" };
    let mut text = format!("\n{} {items} of the table not here:\n\n", absent.len());
    for item in absent {
        let key: Vec<String> = item.key.iter().map(|cell| code(&cell.value)).collect();
        let why = plain(&item.absence.words());
        text += &format!("- {} {}: {why}\n", plain(&item.entity), key.join(" "));
    }
    text
}

fn view_heading(view: &View) -> String {
    let mut text = format!("\n### {}\n\n", plain(&view.heading()));
    let projection = view.projection.as_ref().filter(|words| *words != "all attributes");
    let projection = projection.map(|words| format!("Holds {words}."));
    let remarks: Vec<String> =
        view.description.iter().cloned().chain(projection).map(|one| plain(&one)).collect();
    if !remarks.is_empty() {
        text += &format!("{}\n\n", remarks.join("\n\n"));
    }
    text
}

fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<String> = head.iter().map(|_| "---".to_owned()).collect();
    line(head) + &line(&rule) + &rows.map(|row| line(&row)).collect::<String>()
}

/// Text that Markdown shows as it is.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    for character in printable(text).chars() {
        if "\\`*_{}[]<>&|~#$!".contains(character) {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}

/// Text as code. A code span cannot hold every text in a table: what has a pipe or a backtick is
/// written as an element, with all punctuation as entities, which nothing takes for markup.
fn code(text: &str) -> String {
    let content = printable(text);
    if content.is_empty() {
        return String::new();
    }
    let is_edgy = content.starts_with(' ') || content.ends_with(' ');
    if !is_edgy && !content.contains(['|', '`']) {
        return format!("`{content}`");
    }
    let entity = |character: char| {
        if character.is_ascii_punctuation() {
            format!("&#{};", u32::from(character))
        } else {
            character.to_string()
        }
    };
    format!("<code>{}</code>", content.chars().map(entity).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_would_end_its_span_or_cell_is_an_element() {
        assert_eq!(code("ORDER#{id}"), "`ORDER#{id}`");
        assert_eq!(code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code("\\|`"), "<code>&#92;&#124;&#96;</code>");
    }

    #[test]
    fn plain_text_is_not_markup() {
        assert_eq!(plain("<b>*a*\n|"), "\\<b\\>\\*a\\*↵\\|");
    }
}
