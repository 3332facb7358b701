//! Where in a document a byte stands, by the text before it alone.
//!
//! A text that is being typed is rarely a document, so nothing is parsed: tables of TOML are known
//! by their headers, YAML by its indentation, and what stands in brackets by counting them.

use monotable_model::document::Format;

/// Where a byte stands. Numbers of list elements are left out of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The table that is written to or, in a value, the member.
    pub(super) path: Vec<String>,
    pub(super) at: At,
}

/// What is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum At {
    /// The name of a member, of which this is there already.
    Name(String),
    /// A text, of which this is there already.
    Text(String),
    /// Some other value.
    Value,
}

impl Cursor {
    /// The cursor after the first bytes of a text.
    pub(super) fn new(text: &str, format: Format, offset: usize) -> Cursor {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        match format {
            Format::Toml => in_toml(before),
            Format::Yaml => in_yaml(before),
            Format::Json => Scanner::new(Vec::new(), ':', Position::Value).scan(before),
        }
    }
}

fn in_toml(before: &str) -> Cursor {
    let mut path = Vec::new();
    let mut start = 0;
    let mut offset = 0;
    for line in before.split_inclusive('\n') {
        // Elements of lists that stand on lines of their own are indented.
        if line.starts_with('[') && line.ends_with('\n') {
            let (header, _) = line.rsplit_once(']').unwrap_or((line, ""));
            path = dotted(header.trim_matches(['[', ']', ' ']));
            start = offset + line.len();
        }
        offset += line.len();
    }
    let rest = before.get(start..).unwrap_or_default();
    if let Some(header) = rest.lines().last().filter(|line| line.starts_with('[')) {
        let typed = header.trim_start_matches('[');
        let mut path = dotted(typed);
        let name = path.pop().unwrap_or_default();
        return Cursor { path, at: At::Name(name) };
    }
    Scanner::new(path, '=', Position::Name).scan(rest)
}

/// The names of a dotted key, without their quotes.
fn dotted(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quote = None;
    for character in text.chars() {
        match (character, quote) {
            ('"' | '\'', None) => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            ('.', None) => names.push(String::new()),
            (' ', None) => {}
            (_, _) => names.last_mut().into_iter().for_each(|name| name.push(character)),
        }
    }
    names
}

fn in_yaml(before: &str) -> Cursor {
    let mut open: Vec<(usize, String)> = Vec::new();
    let (earlier, last) = before.rsplit_once('\n').unwrap_or(("", before));
    for line in earlier.lines() {
        let (indent, content) = yaml_line(line);
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        open.retain(|(outer, _)| *outer < indent);
        if let Some((name, _)) = yaml_pair(content) {
            open.push((indent, name));
        }
    }
    let (indent, content) = yaml_line(last);
    open.retain(|(outer, _)| *outer < indent);
    let mut path: Vec<String> = open.into_iter().map(|(_, name)| name).collect();
    let Some((name, value)) = yaml_pair(content) else {
        let is_element = last.trim_start().starts_with("- ");
        if content.starts_with(['"', '\'', '[', '{']) {
            return Scanner::new(path, ':', Position::Value).scan(content);
        }
        let typed = content.to_owned();
        return Cursor { path, at: if is_element { At::Text(typed) } else { At::Name(typed) } };
    };
    path.push(name);
    if value.starts_with(['"', '\'', '[', '{']) {
        return Scanner::new(path, ':', Position::Value).scan(value);
    }
    Cursor { path, at: At::Text(value.to_owned()) }
}

/// The indentation of a line and what follows it. The dash of a list belongs to the indentation.
fn yaml_line(line: &str) -> (usize, &str) {
    let content = line.trim_start_matches([' ', '-']);
    (line.len() - content.len(), content.trim_end_matches('\r'))
}

fn yaml_pair(content: &str) -> Option<(String, &str)> {
    let (name, value) = content.split_once(':')?;
    let name = name.trim().trim_matches(['"', '\'']);
    let is_name = !name.is_empty() && !name.contains(['{', '[', ',']);
    let ends = value.is_empty() || value.starts_with(' ');
    (is_name && ends).then(|| (name.to_owned(), value.trim_start()))
}

/// Whether a name or a value comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Name,
    Value,
}

/// Reads names, values and brackets from left to right.
struct Scanner {
    /// The tables and lists that are open, each with its path.
    open: Vec<(char, Vec<String>)>,
    base: Vec<String>,
    separator: char,
    /// The names before the separator.
    names: Vec<String>,
    position: Position,
}

impl Scanner {
    fn new(base: Vec<String>, separator: char, position: Position) -> Scanner {
        Scanner { open: Vec::new(), base, separator, names: Vec::new(), position }
    }

    fn scan(mut self, text: &str) -> Cursor {
        let mut rest = text.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                '"' | '\'' => {
                    let mut typed = String::new();
                    let mut is_closed = false;
                    while let Some(next) = rest.next() {
                        match next {
                            '\\' if character == '"' => typed.extend(rest.next()),
                            _ if next == character => {
                                is_closed = true;
                                break;
                            }
                            _ => typed.push(next),
                        }
                    }
                    if !is_closed {
                        return self.inside(typed);
                    }
                    self.word(&typed);
                }
                '#' if self.separator == '=' => {
                    while rest.next_if(|next| *next != '\n').is_some() {}
                }
                _ => self.step(character),
            }
        }
        self.finish()
    }

    fn step(&mut self, character: char) {
        match character {
            '{' | '[' => {
                let path = self.path();
                self.open.push((character, path));
                self.names.clear();
                self.position = if character == '{' { Position::Name } else { Position::Value };
            }
            '}' | ']' => {
                self.open.pop();
                self.names.clear();
                self.position = Position::Value;
            }
            ',' => self.next_member(),
            '\n' if self.open.is_empty() && self.separator == '=' => {
                self.names.clear();
                self.position = Position::Name;
            }
            '.' if self.position == Position::Name => self.names.push(String::new()),
            _ if character == self.separator => self.position = Position::Value,
            _ if character.is_whitespace() => {}
            _ => self.word(&character.to_string()),
        }
    }

    fn next_member(&mut self) {
        self.names.clear();
        let is_list = self.open.last().is_some_and(|(bracket, _)| *bracket == '[');
        self.position = if is_list { Position::Value } else { Position::Name };
    }

    /// Adds to the name that is being read. Values are not kept.
    fn word(&mut self, text: &str) {
        if self.position == Position::Value {
            return;
        }
        match self.names.last_mut() {
            Some(name) => name.push_str(text),
            None => self.names.push(text.to_owned()),
        }
    }

    /// The table or the list that is open, and the names that were read in it.
    fn path(&self) -> Vec<String> {
        let outer = self.open.last().map_or(&self.base, |(_, path)| path);
        outer.iter().chain(&self.names).cloned().collect()
    }

    fn inside(mut self, typed: String) -> Cursor {
        match self.position {
            Position::Value => Cursor { path: self.path(), at: At::Text(typed) },
            Position::Name => {
                self.word(&typed);
                self.finish()
            }
        }
    }

    fn finish(mut self) -> Cursor {
        match self.position {
            Position::Value => Cursor { path: self.path(), at: At::Value },
            Position::Name => {
                let name = self.names.pop().unwrap_or_default();
                Cursor { path: self.path(), at: At::Name(name) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, text: &str, path: &str, at: At) {
        let cursor = Cursor::new(text, format, text.len());
        assert_eq!((cursor.path.join("/").as_str(), cursor.at), (path, at), "{text}");
    }

    #[test]
    fn toml_is_known_by_headers_and_brackets() {
        let toml = |text: &str, path: &str, at: At| check(Format::Toml, text, path, at);
        toml("na", "", At::Name("na".to_owned()));
        toml("[patterns.\"a b\"]\noper", "patterns/a b", At::Name("oper".to_owned()));
        toml("[a]\nx = 1 # \"\n\n[b]\nby = [\"us", "b/by", At::Text("us".to_owned()));
        toml("[b]\nkey = { partition = \"A#{", "b/key/partition", At::Text("A#{".to_owned()));
        toml("[b]\nkey = { partition = \"A\", so", "b/key", At::Name("so".to_owned()));
        toml("[b]\nkey.sort = ", "b/key/sort", At::Value);
        toml("[b]\nx = [\n  { put = \"O", "b/x/put", At::Text("O".to_owned()));
        toml("[entities.Or", "entities", At::Name("Or".to_owned()));
        toml("[b]\nx = 1\ny", "b", At::Name("y".to_owned()));
        toml("[[allow]] # why\nrule = \"", "allow/rule", At::Text(String::new()));
    }

    #[test]
    fn yaml_is_known_by_its_indentation() {
        let yaml = |text: &str, path: &str, at: At| check(Format::Yaml, text, path, at);
        yaml("tables:\n  Shop:\n    par", "tables/Shop", At::Name("par".to_owned()));
        yaml("a:\n  b: 1\nc:\n  d: \"x", "c/d", At::Text("x".to_owned()));
        yaml("a:\n  b: 1\nc:\n  d: ent", "c/d", At::Text("ent".to_owned()));
        yaml("a:\n  returns: [\"Or", "a/returns", At::Text("Or".to_owned()));
        yaml("a:\n  returns:\n    - Or", "a/returns", At::Text("Or".to_owned()));
        yaml("a:\n  - from: Or", "a/from", At::Text("Or".to_owned()));
    }

    #[test]
    fn json_is_known_by_its_brackets() {
        let json = |text: &str, path: &str, at: At| check(Format::Json, text, path, at);
        json("{ \"a\": { \"b", "a", At::Name("b".to_owned()));
        json("{ \"a\": { \"b\": \"c", "a/b", At::Text("c".to_owned()));
        json("{ \"a\": [{ \"b\": 1, \"c\": \"d", "a/c", At::Text("d".to_owned()));
    }
}
