//! Tables of box characters.

use monotable_model::diagnostic::Colour;

use super::TextStyle;
use super::wrap::{longest_word, wrap};
use crate::display_width::{display_width, printable};
use crate::palette::terminal_colour;

/// How a cell is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// As it is.
    Plain,
    /// What the eye should find first.
    Strong,
    /// In the colour of the entity at this place of the legend.
    Entity(usize),
    /// What is wrong.
    Alarm,
}

/// A cell: paragraphs, each of which begins a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GridCell {
    paragraphs: Vec<String>,
    ink: Ink,
}

/// A table.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    head: Vec<String>,
    rows: Vec<GridRow>,
}

#[derive(Debug, Clone)]
struct GridRow {
    cells: Vec<GridCell>,
    /// Whether a line is drawn above it.
    is_parted: bool,
}

/// Words up to this width are not broken if there is room for them.
const WORD_WIDTH_MAX: usize = 18;
/// No column is made narrower than this.
const COLUMN_WIDTH_MIN: usize = 6;

impl GridCell {
    /// A cell of one paragraph.
    pub(super) fn new(text: &str, ink: Ink) -> GridCell {
        GridCell { paragraphs: vec![printable(text)], ink }
    }

    /// A plain cell of one paragraph.
    pub(super) fn plain(text: &str) -> GridCell {
        GridCell::new(text, Ink::Plain)
    }

    /// A cell of several paragraphs.
    pub(super) fn paragraphs<'t>(texts: impl IntoIterator<Item = &'t str>, ink: Ink) -> GridCell {
        GridCell { paragraphs: texts.into_iter().map(printable).collect(), ink }
    }

    fn width(&self) -> usize {
        self.paragraphs.iter().map(|text| display_width(text)).max().unwrap_or(0)
    }

    fn width_min(&self) -> usize {
        let words = self.paragraphs.iter().map(|text| longest_word(text));
        words.max().unwrap_or(0).min(WORD_WIDTH_MAX)
    }

    /// About how many lines it takes at a width.
    fn height(&self, width: usize) -> f64 {
        let lines = |text: &String| (display_width(text) as f64 / width as f64).max(1.0);
        self.paragraphs.iter().map(lines).sum()
    }

    fn lines(&self, width: usize) -> Vec<String> {
        self.paragraphs.iter().flat_map(|text| wrap(text, width)).collect()
    }
}

impl Grid {
    /// A table with these headings.
    pub(super) fn new<'t>(head: impl IntoIterator<Item = &'t str>) -> Grid {
        Grid { head: head.into_iter().map(printable).collect(), rows: Vec::new() }
    }

    /// Adds a row under a line.
    pub(super) fn part(&mut self, cells: Vec<GridCell>) {
        self.rows.push(GridRow { cells, is_parted: true });
    }

    /// Adds a row that belongs to the one before it.
    pub(super) fn join(&mut self, cells: Vec<GridCell>) {
        self.rows.push(GridRow { cells, is_parted: false });
    }

    /// The table as text.
    pub(super) fn render(&self, style: TextStyle) -> String {
        let widths = self.widths(style.width);
        let head: Vec<GridCell> =
            self.head.iter().map(|text| GridCell::new(text, Ink::Strong)).collect();
        let mut text = rule(&widths, ['┌', '┬', '┐']);
        text += &write_row(&head, &widths, style.colour);
        for row in &self.rows {
            if row.is_parted {
                text += &rule(&widths, ['├', '┼', '┤']);
            }
            text += &write_row(&row.cells, &widths, style.colour);
        }
        text + &rule(&widths, ['└', '┴', '┘'])
    }

    /// The widths of the columns: what they need if that fits. If not, each gets what its longest
    /// words need, and the room that is left goes, cell by cell, to the column that makes the table
    /// shortest.
    fn widths(&self, total: usize) -> Vec<usize> {
        let head: Vec<GridCell> = self.head.iter().map(|text| GridCell::plain(text)).collect();
        let rows: Vec<&[GridCell]> = std::iter::once(head.as_slice())
            .chain(self.rows.iter().map(|row| row.cells.as_slice()))
            .collect();
        let widest = |column: usize, width: fn(&GridCell) -> usize| {
            rows.iter().filter_map(|row| row.get(column)).map(width).max().unwrap_or(0)
        };
        let count = head.len();
        let needed: Vec<usize> = (0..count).map(|column| widest(column, GridCell::width)).collect();
        let room = total.saturating_sub(3 * count + 1);
        if needed.iter().sum::<usize>() <= room {
            return needed;
        }
        let mut widths: Vec<usize> =
            (0..count).map(|column| widest(column, GridCell::width_min).max(1)).collect();
        narrow(&mut widths, room);
        for _ in widths.iter().sum()..room {
            let Some(column) = best_column(&rows, &widths, &needed) else { break };
            if let Some(width) = widths.get_mut(column) {
                *width += 1;
            }
        }
        widths
    }
}

/// Makes the widest columns narrower until all fit, or none can be any more: then the table is
/// wider than the terminal.
fn narrow(widths: &mut [usize], room: usize) {
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max().filter(|width| **width > COLUMN_WIDTH_MIN)
        else {
            return;
        };
        *widest -= 1;
    }
}

/// The column that makes the table shortest if it is made wider.
fn best_column(rows: &[&[GridCell]], widths: &[usize], needed: &[usize]) -> Option<usize> {
    let height_with = |column: usize| -> f64 {
        let wider = |at: usize, width: usize| width + usize::from(at == column);
        let height = |row: &&[GridCell]| {
            let cells = row.iter().zip(widths).enumerate();
            cells.map(|(at, (cell, width))| cell.height(wider(at, *width))).fold(1.0, f64::max)
        };
        rows.iter().map(height).sum()
    };
    let growing =
        widths.iter().zip(needed).enumerate().filter(|(_, (width, needed))| width < needed);
    growing
        .map(|(column, _)| (column, height_with(column)))
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(column, _)| column)
}

fn rule(widths: &[usize], [first, between, last]: [char; 3]) -> String {
    let parts: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
    format!("{first}{}{last}\n", parts.join(&between.to_string()))
}

fn write_row(cells: &[GridCell], widths: &[usize], colour: Colour) -> String {
    let empty = GridCell::plain("");
    let columns: Vec<(&GridCell, Vec<String>)> = widths
        .iter()
        .enumerate()
        .map(|(column, width)| {
            let cell = cells.get(column).unwrap_or(&empty);
            (cell, cell.lines(*width))
        })
        .collect();
    let height = columns.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        for ((cell, lines), width) in columns.iter().zip(widths) {
            let content = lines.get(line).map_or("", String::as_str);
            let space = " ".repeat(width.saturating_sub(display_width(content)));
            text += &format!("│ {}{space} ", paint(content, cell.ink, colour));
        }
        text += "│\n";
    }
    text
}

/// Text in a colour, if it is to have one.
pub(super) fn paint(text: &str, ink: Ink, colour: Colour) -> String {
    if colour == Colour::Never || text.is_empty() {
        return text.to_owned();
    }
    match ink {
        Ink::Plain => text.to_owned(),
        Ink::Strong => format!("\x1b[1m{text}\x1b[0m"),
        Ink::Entity(place) => format!("\x1b[38;5;{}m{text}\x1b[0m", terminal_colour(place)),
        Ink::Alarm => format!("\x1b[1;31m{text}\x1b[0m"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn grid() -> Grid {
        let mut grid = Grid::new(["entity", "PK"]);
        grid.part(vec![GridCell::new("Order", Ink::Entity(0)), GridCell::plain("CUSTOMER#{name}")]);
        grid.join(vec![GridCell::plain("x"), GridCell::plain("y")]);
        grid
    }

    #[test]
    fn a_table_is_as_wide_as_it_needs_to_be() {
        expect![[r#"
            ┌────────┬─────────────────┐
            │ entity │ PK              │
            ├────────┼─────────────────┤
            │ Order  │ CUSTOMER#{name} │
            │ x      │ y               │
            └────────┴─────────────────┘
        "#]]
        .assert_eq(&grid().render(TextStyle { width: 80, colour: Colour::Never }));
    }

    #[test]
    fn a_table_is_not_wider_than_the_terminal() {
        let text = grid().render(TextStyle { width: 22, colour: Colour::Never });
        assert!(text.lines().all(|line| display_width(line) <= 22), "{text}");
        assert!(text.contains("│ CUSTOMER# │\n") && text.contains("│ {name}    │\n"), "{text}");
    }

    #[test]
    fn colours_only_add_to_the_text() {
        let plain = grid().render(TextStyle { width: 80, colour: Colour::Never });
        let coloured = grid().render(TextStyle { width: 80, colour: Colour::Always });
        let stripped = coloured
            .replace("\x1b[1m", "")
            .replace("\x1b[0m", "")
            .replace(&format!("\x1b[38;5;{}m", terminal_colour(0)), "");
        assert_ne!(coloured, plain);
        assert_eq!(stripped, plain);
    }
}
