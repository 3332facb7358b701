//! Rules' pages: the examples in them.
//!
//! A page shows the mistake and what to do instead as fenced blocks. The words after the fence say
//! what a block is:
//!
//! ```text
//! toml wrong              a model with the mistake
//! toml right              one without
//! toml model              the model that belongs to recorded requests or items
//! toml before             the model as it was before
//! json requests wrong     recorded requests, one a line
//! json requests right
//! json data wrong         items, one a line
//! json data right
//! ```
//!
//! A line of items that ends with `× 200` stands for 200 lines, in which `{n}` counts from 1.
//!
//! Of a page with several blocks of a kind each is an example of its own. What a block of a model
//! leaves out (`format`, `name`) is added.

/// Whether an example has the mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleKind {
    /// It has the mistake.
    Wrong,
    /// It has not.
    Right,
}

/// An example on a rule's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Whether it has the mistake.
    pub kind: ExampleKind,
    /// The model, as TOML.
    pub model: String,
    /// The model as it was before, as TOML.
    pub before: Option<String>,
    /// Recorded requests, one a line.
    pub requests: Option<String>,
    /// Stored items, one a line.
    pub data: Option<String>,
}

/// The examples on a page.
pub fn examples(page: &str) -> Vec<Example> {
    let blocks = blocks(page);
    let mut examples = Vec::new();
    for (kind, word) in [(ExampleKind::Wrong, "wrong"), (ExampleKind::Right, "right")] {
        let of = |kind: &str| {
            let info = format!("{kind} {word}");
            blocks.iter().filter(move |block| block.info == info).map(|block| block.text.clone())
        };
        let shared = |info: &str| {
            blocks.iter().find(|block| block.info == info).map(|block| block.text.clone())
        };
        let before = shared("toml before").map(|text| with_heading(&text));
        let (requests, data) =
            (of("json requests").next(), of("json data").next().map(|text| repeated(&text)));
        let own = of("toml").map(|model| Example {
            kind,
            model: with_heading(&model),
            before: before.clone(),
            requests: requests.clone(),
            data: data.clone(),
        });
        examples.extend(own);
        let Some(model) = shared("toml model").map(|text| with_heading(&text)) else { continue };
        let example = |requests: Option<String>, data: Option<String>| Example {
            kind,
            model: model.clone(),
            before: before.clone(),
            requests,
            data,
        };
        examples.extend(of("json requests").map(|requests| example(Some(requests), None)));
        examples.extend(of("json data").map(|data| example(None, Some(repeated(&data)))));
    }
    examples
}

struct Block {
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                open = Some(Block { info: info.trim().to_owned(), text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Lines as often as they say.
fn repeated(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let times = line.rsplit_once(" × ");
        let times = times.and_then(|(line, times)| Some((line, times.trim().parse().ok()?)));
        let (line, times) = times.unwrap_or((line, 1u32));
        for number in 1..=times {
            lines.push_str(&line.replace("{n}", &number.to_string()));
            lines.push('\n');
        }
    }
    lines
}

/// A model with what every file has, so that pages need not repeat it.
fn with_heading(model: &str) -> String {
    let own = || model.lines().take_while(|line| !line.starts_with('['));
    let has = |member: &str| own().any(|line| line.starts_with(member));
    let mut text = String::new();
    if !has("format =") {
        text.push_str("format = 1\n");
    }
    if !has("name =") {
        text.push_str("name = \"example\"\n");
    }
    text + model
}
