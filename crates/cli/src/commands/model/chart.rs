//! `monotable model chart`: a design to look at, in the terminal and beside the code.

pub(super) mod data;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use monotable_chart::{
    Chart, Part, Selection, TextStyle, View, render_collections_svg, render_html, render_json,
    render_markdown, render_mermaid, render_svg, render_text,
};
use monotable_lint::{Evidence, Judgement, lint};
use monotable_model::diagnostic::{Colour, nearest};
use monotable_model::document::{Document, write_tree};
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};

use super::file::ModelFile;
use super::rendering::{Output, OutputArguments};
use crate::outcome::Outcome;
use crate::output;

/// The cells of a line where nothing says how many the terminal has.
const WIDTH: usize = 120;

const EXAMPLES: &str = "Examples:
  Everything in the terminal: entities, entity charts, access patterns, item collections:
      monotable model chart shop.toml

  Only the access patterns, or only what an index holds:
      monotable model chart shop.toml --only patterns
      monotable model chart shop.toml --index GSI1

  One page for the team, with everything in it:
      monotable model chart shop.toml --file shop.html

  For a README: tables and a Mermaid diagram, or pictures:
      monotable model chart shop.toml --file shop.md
      monotable model chart shop.toml --file shop.svg
      monotable model chart shop.toml --only collections --to svg > items.svg

  With items of a live table, of an export, or generated ones, in place of the samples:
      monotable model chart shop.toml --data dynamodb://Shop --file shop.html
      monotable model chart shop.toml --data export.json
      monotable model chart shop.toml --data seeded --only collections

  For a program:
      monotable model chart shop.toml --output json

Sample items stand in the byte order of their sort keys, and an index shows which items it lacks.
Units are those of monotable model cost. Colours are left out if NO_COLOR is set. Exits with 1 if
an access pattern is not served.";

/// Draw entity charts, access patterns, item collections and the ER diagram
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ChartCommand {
    /// The model file
    file: PathBuf,

    /// The format; by default that of --file by its extension, or else the terminal's
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "output")]
    to: Option<Form>,

    /// Draw only these parts
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',')]
    only: Vec<OnlyPart>,

    #[command(flatten)]
    data: data::DataArguments,

    /// Draw only the entity chart and the items of this index or table
    #[arg(long, value_name = "NAME")]
    index: Option<String>,

    /// Write to this file
    #[arg(long = "file", value_name = "FILE", conflicts_with = "output")]
    target: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArguments,
}

/// The forms of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Tables of box characters
    Terminal,
    /// Tables and a Mermaid diagram
    Markdown,
    /// One page that needs nothing else
    Html,
    /// A picture: the ER diagram, or the items with --only collections
    Svg,
    /// The ER diagram as Mermaid text
    Mermaid,
}

/// The parts of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnlyPart {
    /// The entity chart of the table and each index
    Entities,
    /// The access-pattern table
    Patterns,
    /// The sample items in the table and each index
    Collections,
    /// The entities and what relates them
    Er,
}

/// Draws what was asked for.
pub(super) fn run(arguments: &ChartCommand) -> Result<Outcome> {
    let (_, mut document) = ModelFile::open(&arguments.file)?.into_document()?;
    arguments.data.put_into(&mut document.model)?;
    let chart = chart_of(document)?;
    let selection = arguments.selection(&chart)?;
    let drawn = match arguments.output.output {
        Output::Json => write_tree(&render_json(&chart, &selection)),
        Output::Text => draw(&chart, &selection, arguments.form()?, arguments.target.is_some())?,
    };
    match &arguments.target {
        Some(path) => write(path, &drawn)?,
        None => output::line(drawn.trim_end())?,
    }
    let is_served = chart.patterns.iter().all(|pattern| pattern.is_served());
    Ok(if is_served { Outcome::Done } else { Outcome::Negative })
}

/// The chart of a model with what the planner says of it, priced in the model's region.
pub(super) fn chart_of(document: Document) -> Result<Chart> {
    let Document { model, places } = document;
    let region = model.workload.region.as_deref().unwrap_or(DEFAULT_REGION);
    let prices = prices_of(region).or_else(|| prices_of(DEFAULT_REGION));
    let settings = Settings::new(prices.context("there are prices of the default region")?);
    let mut report = lint(&model, Evidence::default(), &Judgement::of(&model));
    report.locate(&places);
    Ok(Chart::of(&model, Estimate::of(&model, &settings)).with_findings(report.findings))
}

fn draw(chart: &Chart, selection: &Selection, form: Form, is_for_file: bool) -> Result<String> {
    Ok(match form {
        Form::Terminal => render_text(chart, selection, text_style(is_for_file)),
        Form::Markdown => render_markdown(chart, selection),
        Form::Html => render_html(chart, selection),
        Form::Mermaid => {
            ensure!(
                selection.has(Part::Diagram),
                "Mermaid draws the ER diagram only; leave out --only, or say --only er"
            );
            render_mermaid(&chart.diagram)
        }
        Form::Svg if selection.has(Part::Diagram) => render_svg(&chart.diagram),
        Form::Svg => {
            ensure!(
                selection.has(Part::Collections),
                "a picture shows the ER diagram or the items; say --only er or --only collections"
            );
            render_collections_svg(chart, selection)
        }
    })
}

fn text_style(is_for_file: bool) -> TextStyle {
    let is_coloured = !is_for_file && output::wants_colour(&io::stdout());
    let colour = if is_coloured { Colour::Always } else { Colour::Never };
    let width = if is_for_file { None } else { output::terminal_width() };
    TextStyle { width: width.unwrap_or(WIDTH), colour }
}

fn write(path: &Path, drawn: &str) -> Result<()> {
    std::fs::write(path, drawn).with_context(|| format!("cannot write {}", path.display()))
}

impl ChartCommand {
    fn selection(&self, chart: &Chart) -> Result<Selection> {
        if let Some(name) = &self.index {
            ensure_view(chart, name)?;
        }
        let parts = match (self.only.is_empty(), &self.index) {
            (true, None) => Part::ALL.to_vec(),
            (true, Some(_)) => vec![Part::Entities, Part::Collections],
            (false, _) => self.only.iter().map(|part| part.part()).collect(),
        };
        Ok(Selection { parts, view: self.index.clone() })
    }

    /// The form that is asked for, or that the ending of the file means.
    fn form(&self) -> Result<Form> {
        if let Some(form) = self.to {
            return Ok(form);
        }
        let Some(path) = &self.target else { return Ok(Form::Terminal) };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("html" | "htm") => Ok(Form::Html),
            Some("md" | "markdown") => Ok(Form::Markdown),
            Some("svg") => Ok(Form::Svg),
            Some("mmd" | "mermaid") => Ok(Form::Mermaid),
            Some("txt") => Ok(Form::Terminal),
            Some(_) | None => bail!(
                "{} does not say its form; end it in .html, .md, .svg, .mmd or .txt, or use --to",
                path.display()
            ),
        }
    }
}

impl OnlyPart {
    fn part(self) -> Part {
        match self {
            OnlyPart::Entities => Part::Entities,
            OnlyPart::Patterns => Part::Patterns,
            OnlyPart::Collections => Part::Collections,
            OnlyPart::Er => Part::Diagram,
        }
    }
}

fn ensure_view(chart: &Chart, name: &str) -> Result<()> {
    let names: Vec<&str> = chart.views().map(View::name).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let meant = nearest(name, names.iter().copied());
    let hint = meant.map(|meant| format!(", did you mean {meant}?")).unwrap_or_default();
    bail!("no table or index is called {name}{hint}; there are {}", names.join(", "))
}
