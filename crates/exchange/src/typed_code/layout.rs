//! Laying out expressions: on one line if they fit, else one member to a line.

/// How wide a line gets.
const WIDTH: usize = 100;

/// A text that can be broken.
#[derive(Debug, Clone)]
pub(crate) enum Doc {
    /// Text that stays together.
    Text(String),
    /// Texts after each other.
    Row(Vec<Doc>),
    /// Members between brackets, with commas.
    Members { open: &'static str, members: Vec<Doc>, close: &'static str, padded: bool },
    /// One member between brackets, without a comma.
    Wrapped { open: &'static str, inner: Box<Doc>, close: &'static str },
}

impl Doc {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    /// Members between round brackets.
    pub(crate) fn arguments(members: Vec<Doc>) -> Doc {
        match members.as_slice() {
            [Doc::Members { .. }] => {
                let inner = members.into_iter();
                Doc::Row(
                    [Doc::text("(")].into_iter().chain(inner).chain([Doc::text(")")]).collect(),
                )
            }
            _ => Doc::Members { open: "(", members, close: ")", padded: false },
        }
    }

    /// Texts with others between them.
    pub(crate) fn separated(parts: Vec<Doc>, separator: &str) -> Doc {
        let mut row = Vec::new();
        for part in parts {
            if !row.is_empty() {
                row.push(Doc::text(separator));
            }
            row.push(part);
        }
        Doc::Row(row)
    }

    fn flat(&self) -> String {
        match self {
            Doc::Text(text) => text.clone(),
            Doc::Row(parts) => parts.iter().map(Doc::flat).collect(),
            Doc::Members { open, members, close, padded } => {
                let members: Vec<String> = members.iter().map(Doc::flat).collect();
                let space = if *padded && !members.is_empty() { " " } else { "" };
                format!("{open}{space}{}{space}{close}", members.join(", "))
            }
            Doc::Wrapped { open, inner, close } => format!("{open}{}{close}", inner.flat()),
        }
    }

    /// The text, beginning in a column, with lines indented below `indent`.
    pub(crate) fn lay_out(&self, column: usize, indent: usize, step: usize) -> String {
        let flat = self.flat();
        if !flat.contains('\n') && column + flat.chars().count() <= WIDTH {
            return flat;
        }
        let below = indent + step;
        let line = |doc: &Doc, end: &str| {
            format!("\n{}{}{end}", " ".repeat(below), doc.lay_out(below, below, step))
        };
        match self {
            Doc::Text(text) => text.clone(),
            Doc::Row(parts) => {
                let mut out = String::new();
                for part in parts {
                    let last = out.rsplit('\n').next().unwrap_or_default().chars().count();
                    let column = if out.contains('\n') { last } else { column + last };
                    out.push_str(&part.lay_out(column, indent, step));
                }
                out
            }
            Doc::Members { open, members, close, .. } => {
                let lines: String = members.iter().map(|member| line(member, ",")).collect();
                format!("{open}{lines}\n{}{close}", " ".repeat(indent))
            }
            Doc::Wrapped { open, inner, close } => {
                format!("{open}{}\n{}{close}", line(inner, ""), " ".repeat(indent))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stand_on_lines_of_their_own_where_they_do_not_fit() {
        let member = |text: &str| Doc::text(text.repeat(30));
        let call = Doc::Row(vec![
            Doc::text("f"),
            Doc::arguments(vec![member("a"), member("b"), member("c")]),
        ]);
        let lines: Vec<usize> = call.lay_out(4, 4, 2).lines().map(str::len).collect();
        assert_eq!(lines, [2, 37, 37, 37, 5]);
        let small = Doc::arguments(vec![Doc::text("a"), Doc::text("b")]);
        assert_eq!(small.lay_out(0, 0, 2), "(a, b)");
    }
}
