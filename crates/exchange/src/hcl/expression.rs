//! Values of HCL: literals as data, everything else as text in `${…}`.

use monotable_model::diagnostic::{Diagnostic, Span};

use super::reader::{Lines, Reader};
use crate::source_node::{Content, Member, Node, syntax};

impl Reader<'_> {
    /// A value, up to the end of its line or to what ends it inside brackets.
    pub(super) fn value(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        if let Some(content) = self.literal()? {
            let span = self.since(start);
            self.skip(Lines::Kept);
            if matches!(self.peek(), None | Some('\n' | ',' | ']' | '}' | ')')) {
                return Ok(Node { content, span });
            }
        }
        self.at = start;
        self.code()
    }

    /// A literal, if one begins here.
    fn literal(&mut self) -> Result<Option<Content>, Diagnostic> {
        let rest = self.rest();
        Ok(match self.peek() {
            Some('"') => Some(Content::String(self.quoted()?)),
            Some('<') if rest.starts_with("<<") => self.heredoc().map(Content::String),
            Some('[') if !is_comprehension(rest) => Some(self.list()?),
            Some('{') if !is_comprehension(rest) => Some(self.object()?),
            Some(c) if c.is_ascii_digit() || c == '-' => self.number().map(Content::Number),
            Some(_) => {
                let word = self.name();
                match word {
                    Some("true") => Some(Content::Bool(true)),
                    Some("false") => Some(Content::Bool(false)),
                    Some("null") => Some(Content::Null),
                    Some(_) | None => None,
                }
            }
            None => return Err(self.expected("a value")),
        })
    }

    fn number(&mut self) -> Option<String> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let text = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
        self.at += text.len();
        text.parse::<f64>().ok().map(|_| text.to_owned())
    }

    fn list(&mut self) -> Result<Content, Diagnostic> {
        let start = self.at;
        self.bump();
        let mut nodes = Vec::new();
        loop {
            self.skip(Lines::Passed);
            if self.take("]") {
                return Ok(Content::List(nodes));
            }
            if self.peek().is_none() {
                return Err(syntax(Span::new(start, start + 1), "the list is not closed"));
            }
            nodes.push(self.deeper(Reader::value)?);
            self.skip(Lines::Passed);
            if !self.take(",") && self.peek() != Some(']') {
                return Err(self.expected(", or ]"));
            }
        }
    }

    fn object(&mut self) -> Result<Content, Diagnostic> {
        let start = self.at;
        self.bump();
        let mut members = Vec::new();
        loop {
            self.skip(Lines::Passed);
            if self.take("}") {
                return Ok(Content::Map(members));
            }
            if self.peek().is_none() {
                return Err(syntax(Span::new(start, start + 1), "the object is not closed"));
            }
            let (name, name_span) = self.object_key()?;
            self.skip(Lines::Kept);
            if !self.take("=") && !self.take(":") {
                return Err(self.expected("= or :"));
            }
            self.skip(Lines::Kept);
            let value = self.deeper(Reader::value)?;
            members.push(Member { name, name_span, value });
            self.skip(Lines::Kept);
            self.take(",");
        }
    }

    fn object_key(&mut self) -> Result<(String, Span), Diagnostic> {
        let start = self.at;
        let name = match self.peek() {
            Some('"') => self.quoted()?,
            Some('(') => {
                self.balanced()?;
                self.text.get(start..self.at).unwrap_or_default().to_owned()
            }
            Some(_) | None => {
                self.name().map(str::to_owned).ok_or_else(|| self.expected("a name"))?
            }
        };
        Ok((name, self.since(start)))
    }

    /// A text in quotes. What stands in `${…}` and `%{…}` stays as it is.
    pub(super) fn quoted(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.bump();
        let mut text = String::new();
        loop {
            let from = self.at;
            match self.peek() {
                None | Some('\n') => return Err(syntax(self.since(start), "the text has no end")),
                Some('"') => {
                    self.bump();
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape()),
                Some(_) if self.take("$${") || self.take("%%{") => {
                    text.push_str(self.text.get(from..self.at).unwrap_or_default());
                }
                Some('$' | '%') if self.begins_template() => {
                    self.bump();
                    self.deeper(Reader::balanced)?;
                    text.push_str(self.text.get(from..self.at).unwrap_or_default());
                }
                Some(other) => {
                    text.push(other);
                    self.bump();
                }
            }
        }
    }

    fn begins_template(&self) -> bool {
        self.rest().starts_with("${") || self.rest().starts_with("%{")
    }

    fn escape(&mut self) -> char {
        self.bump();
        let escaped = self.peek().unwrap_or('\\');
        self.bump();
        match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'u' => self.code_point(4),
            'U' => self.code_point(8),
            other => other,
        }
    }

    fn code_point(&mut self, digits: usize) -> char {
        let text = self.rest().get(..digits).unwrap_or_default();
        let number = u32::from_str_radix(text, 16).ok();
        self.at += number.map_or(0, |_| digits);
        number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// `<<END` or `<<-END`, up to the line that has the word alone.
    fn heredoc(&mut self) -> Option<String> {
        let rest = self.rest();
        let (header, body) = rest.split_once('\n')?;
        let word = header.trim_start_matches(['<', '-']).trim();
        let mut text = String::new();
        let mut length = header.len() + 1;
        for line in body.split_inclusive('\n') {
            if line.trim() == word {
                self.at += length + line.trim_end_matches(['\r', '\n']).len();
                return Some(text);
            }
            text.push_str(line);
            length += line.len();
        }
        None
    }

    /// An expression as it is written.
    fn code(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        loop {
            match self.peek() {
                None | Some('\n' | ',' | ']' | '}' | ')') => break,
                Some('"') => drop(self.quoted()?),
                Some('(' | '[' | '{') => self.deeper(Reader::balanced)?,
                Some('#') => break,
                Some('/') if self.rest().starts_with("//") => break,
                Some(_) => self.bump(),
            }
        }
        let text = self.text.get(start..self.at).unwrap_or_default().trim_end();
        if text.is_empty() {
            return Err(self.expected("a value"));
        }
        let content = Content::String(format!("${{{text}}}"));
        Ok(Node { content, span: Span::new(start, start + text.len()) })
    }

    /// Passes over a bracket and everything up to the one that closes it.
    fn balanced(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.bump();
        loop {
            match self.peek() {
                None => {
                    return Err(syntax(Span::new(start, start + 1), "the bracket is not closed"));
                }
                Some(')' | ']' | '}') => {
                    self.bump();
                    return Ok(());
                }
                Some('(' | '[' | '{') => self.deeper(Reader::balanced)?,
                Some('"') => drop(self.quoted()?),
                Some(_) => self.bump(),
            }
        }
    }
}

/// Whether a bracket begins `[for …]` or `{for …}`.
fn is_comprehension(rest: &str) -> bool {
    let inside = rest.get(1..).unwrap_or_default().trim_start();
    inside.strip_prefix("for").is_some_and(|after| after.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use monotable_model::document::inline_tree;

    use crate::hcl::read;

    #[track_caller]
    fn check(text: &str, json: &str) {
        let node = read(text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
        assert_eq!(inline_tree(&node.into_tree().0), json, "{text}");
    }

    #[test]
    fn literals_are_data() {
        check("a = \"x\\n\\u0041\"", r#"{ "a": "x\nA" }"#);
        check("a = -1.5\nb = true # no\nc = null", r#"{ "a": -1.5, "b": true, "c": null }"#);
        check("a = [1, \"b\",\n  [],\n]", r#"{ "a": [1, "b", []] }"#);
        check("a = { b = 1, \"c\" : 2\n d = 3 }", r#"{ "a": { "b": 1, "c": 2, "d": 3 } }"#);
        check("a = <<-END\n  x\n  END\nb = 1", r#"{ "a": "  x\n", "b": 1 }"#);
    }

    #[test]
    fn expressions_are_text() {
        check("a = var.x // why", r#"{ "a": "${var.x}" }"#);
        check("a = \"${f(\"}\")}-b\"", r#"{ "a": "${f(\"}\")}-b" }"#);
        check(
            "a = 1 + 2\nb = x ? [1,\n 2] : 3",
            r#"{ "a": "${1 + 2}", "b": "${x ? [1,\n 2] : 3}" }"#,
        );
        check("a = [for x in y : x]", r#"{ "a": "${[for x in y : x]}" }"#);
        check("a = \"$${b}\"", r#"{ "a": "$${b}" }"#);
    }

    #[test]
    fn blocks_are_lists_and_labels_are_names() {
        check("b { x = 1 }\nb { }", r#"{ "b": [{ "x": 1 }, {}] }"#);
        check("r \"t\" \"a\" { x = 1 }", r#"{ "r": { "t": { "a": { "x": 1 } } } }"#);
        check("r \"t\" \"a\" { }\nr \"t\" \"b\" { }", r#"{ "r": { "t": { "a": {}, "b": {} } } }"#);
        check(
            "d \"t\" { x = 1 }\nd \"t\" { x = 2 }",
            r#"{ "d": { "t": [{ "x": 1 }, { "x": 2 }] } }"#,
        );
    }

    #[test]
    fn mistakes_are_said() {
        for (text, message) in [
            ("a", "expected =, { or a label, found the end of the file"),
            ("a {", "the block is not closed"),
            ("a = [1", "expected , or ], found the end of the file"),
            ("a = \"x", "the text has no end"),
            ("= 1", "expected the name of an attribute or block, found '='"),
            ("a = ", "expected a value, found the end of the file"),
            ("a = f(", "the bracket is not closed"),
        ] {
            assert_eq!(read(text).map(drop).unwrap_err().message, message, "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_and_no_beginning_of_a_file_panics() {
        for open in ["a = [", "a = {b=", "a = f(", "b {", "a = \"${"] {
            let deep = format!("{}{}", open, open.trim_start_matches("a = ").repeat(100_000));
            assert!(read(&deep).is_err());
        }
        let text =
            "r \"t\" \"ä\" {\n a = \"${x[\"ü\"]}\" /* ö */\n b = <<E\n E\n c = [é, {(k)=1}]\n}";
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            drop(read(&text[..end]));
            drop(read(&text[end..]));
        }
    }
}
