//! Markup that cannot be broken by what stands in it.
//!
//! An [`Element`] is the only way to make a tag: names of tags and attributes are literals of this
//! library, and everything else is escaped. What comes out is well-formed as XML and right as HTML,
//! so one builder serves the page and the pictures.

use std::fmt::Display;

use super::display_width::is_unseen;

/// Elements that are written as `<br/>`: those that HTML knows as void, and shapes.
const EMPTY: &[&str] =
    &["br", "circle", "input", "line", "meta", "path", "rect", "wbr", "hr", "use"];

/// Elements that stand inside a line, after which no line break is written.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "br", "button", "code", "em", "small", "span", "strong", "sub", "sup",
    "text", "title", "tspan", "wbr",
];

/// An element with its attributes and content.
#[derive(Debug, Clone)]
pub(super) struct Element {
    tag: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    /// An empty element.
    pub(super) fn new(tag: &'static str) -> Element {
        Element { tag, attributes: String::new(), content: String::new() }
    }

    /// The same with an attribute.
    pub(super) fn attribute(mut self, name: &'static str, value: impl Display) -> Element {
        self.attributes += &format!(" {name}=\"{}\"", escape(&value.to_string()));
        self
    }

    /// The same with classes.
    pub(super) fn class(self, names: &str) -> Element {
        self.attribute("class", names)
    }

    /// The same with text at its end.
    pub(super) fn text(mut self, text: &str) -> Element {
        self.content += &escape(text);
        self
    }

    /// The same with an element at its end.
    pub(super) fn child(mut self, child: Element) -> Element {
        child.write(&mut self.content);
        self
    }

    /// The same with an element at its end, if there is one.
    pub(super) fn child_if(self, child: Option<Element>) -> Element {
        match child {
            Some(child) => self.child(child),
            None => self,
        }
    }

    /// The same with elements at its end.
    pub(super) fn children(self, children: impl IntoIterator<Item = Element>) -> Element {
        children.into_iter().fold(self, Element::child)
    }

    /// The same with markup at its end that this library wrote elsewhere: styles, scripts, charts.
    pub(super) fn trusted(mut self, markup: &str) -> Element {
        self.content += markup;
        self
    }

    /// The element as text.
    pub(super) fn render(self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(self, out: &mut String) {
        let Element { tag, attributes, content } = self;
        let end = if INLINE.contains(&tag) { "" } else { "\n" };
        if EMPTY.contains(&tag) {
            *out += &format!("<{tag}{attributes}/>{end}");
        } else {
            *out += &format!("<{tag}{attributes}>{content}</{tag}>{end}");
        }
    }
}

/// Text with everything replaced that means something in markup. What XML cannot hold becomes
/// `U+FFFD`.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\n' | '\t' => escaped.push(character),
            _ if is_unseen(character) => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_text_or_attributes_becomes_markup() {
        let element = Element::new("td")
            .attribute("title", "\"><script>")
            .text("<b>&\u{0}</b>")
            .child(Element::new("br"));
        assert_eq!(
            element.render(),
            "<td title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;\u{fffd}&lt;/b&gt;<br/></td>\n"
        );
    }
}
