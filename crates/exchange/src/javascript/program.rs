//! The constructors in a file: `new Entity(…)` and what its arguments are.

use monotable_model::diagnostic::Diagnostic;

use super::resolution::Constants;
use super::scanner::{Scanner, is_name_part};
use crate::source_node::{Content, Node};

/// An object that a file constructs.
#[derive(Debug)]
pub(crate) struct Construction {
    /// The class.
    pub(crate) class: String,
    /// The constant that it is assigned to.
    pub(crate) name: Option<String>,
    /// Its arguments, in which constants of the file are what they stand for.
    pub(crate) arguments: Vec<Node>,
}

/// Finds what a file constructs of some classes.
pub(crate) fn constructions(text: &str, classes: &[&str]) -> Result<Vec<Construction>, Diagnostic> {
    let mut finder =
        Finder { scanner: Scanner::new(text), classes, constants: Vec::new(), found: Vec::new() };
    finder.run()?;
    let mut constants = Constants::new(finder.constants);
    for construction in &mut finder.found {
        for argument in &mut construction.arguments {
            *argument = constants.resolve(argument);
        }
    }
    Ok(finder.found)
}

struct Finder<'t, 'c> {
    scanner: Scanner<'t>,
    classes: &'c [&'c str],
    constants: Vec<(String, Node)>,
    found: Vec<Construction>,
}

impl Finder<'_, '_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        // The constant whose value begins where the file is read.
        let mut assigned: Option<(String, usize)> = None;
        loop {
            let before = self.scanner.last();
            self.scanner.skip();
            let at = self.scanner.at;
            let Some(next) = self.scanner.peek() else { return Ok(()) };
            if !is_name_part(next) {
                // What is in brackets is looked at like everything else.
                if matches!(next, '(' | '[' | '{' | '<') {
                    self.scanner.bump();
                } else {
                    self.scanner.token(before)?;
                }
                continue;
            }
            match self.scanner.name() {
                Some("const" | "let" | "var") => assigned = self.declaration(),
                Some("new") => {
                    let name = assigned.take().filter(|(_, value)| *value == at);
                    self.construction(name.map(|(name, _)| name))?;
                }
                // The word after it declares nothing.
                Some("as") => {
                    self.scanner.skip();
                    self.scanner.take_word("const");
                }
                Some(_) => {}
                None => self.scanner.bump(),
            }
        }
    }

    /// `name = value` or `name: Type = value`; gives the name and where the value begins, and stays
    /// there.
    fn declaration(&mut self) -> Option<(String, usize)> {
        let scanner = &mut self.scanner;
        scanner.skip();
        let name = scanner.name()?.to_owned();
        scanner.skip();
        if scanner.peek() == Some(':') {
            let line = scanner.rest().lines().next().unwrap_or_default();
            scanner.at += line.find(" = ")? + 1;
        }
        if scanner.rest().starts_with("==") || !scanner.take("=") {
            return None;
        }
        scanner.skip();
        let start = scanner.at;
        let value = scanner.value().ok();
        scanner.at = start;
        let is_data = |node: &Node| !matches!(node.content, Content::Code(_));
        if let Some(value) = value.filter(is_data) {
            self.constants.push((name.clone(), value));
        }
        Some((name, start))
    }

    /// `Class(…)` or `Class<…>(…)`, if the class is one of those asked for.
    fn construction(&mut self, name: Option<String>) -> Result<(), Diagnostic> {
        let scanner = &mut self.scanner;
        scanner.skip();
        let Some(class) = scanner.name() else { return Ok(()) };
        scanner.skip();
        if !self.classes.contains(&class) || !scanner.take("(") {
            return Ok(());
        }
        let mut arguments = Vec::new();
        loop {
            scanner.skip();
            if scanner.take(")") {
                break;
            }
            arguments.push(scanner.deeper(Scanner::value)?);
            scanner.skip();
            if !scanner.take(",") && scanner.peek() != Some(')') {
                return Err(scanner.expected(", or )"));
            }
        }
        self.found.push(Construction { class: class.to_owned(), name, arguments });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use monotable_model::document::inline_tree;

    use super::*;

    #[track_caller]
    fn check(text: &str, json: &str) {
        let found = constructions(text, &["A"]).unwrap_or_else(|problem| panic!("{problem:?}"));
        let trees = found.into_iter().map(|one| {
            let arguments = one.arguments.into_iter().map(|node| node.into_tree().0);
            let arguments: Vec<String> = arguments.map(|tree| inline_tree(&tree)).collect();
            format!("{}({})", one.name.unwrap_or_default(), arguments.join(", "))
        });
        assert_eq!(trees.collect::<Vec<_>>().join(" "), json, "{text}");
    }

    #[test]
    fn literals_of_every_kind_are_data() {
        check(r#"const a = new A("x\n", 'it\'s', `y`)"#, r#"a("x\n", "it's", "y")"#);
        check("new A(-1.5, 1_000, true, null, undefined)", "(-1.5, 1000, true, null, null)");
        check("new A([1, 'b', [],], {})", r#"([1, "b", []], {})"#);
        check(
            "new A({ a: 1, 'b c': 2, 3: 4, /* no */ d: 5, })",
            r#"({ "a": 1, "b c": 2, "3": 4, "d": 5 })"#,
        );
        check("new A('\\u0041\\x42\\u{43}')", r#"("ABC")"#);
    }

    #[test]
    fn types_are_passed_over() {
        check("new A(['a', 'b'] as const, 5)", r#"(["a", "b"], 5)"#);
        check("new A({ a: [1] as const } satisfies T<string, X[]>, 5)", r#"({ "a": [1] }, 5)"#);
        check("const a: T = new A(1 as unknown as string)", "a(1)");
        check("const x = { a: 1 } as const\nconst b = new A(x)", r#"b({ "a": 1 })"#);
    }

    #[test]
    fn code_stays_as_it_is_written() {
        check(
            "new A({ a: (x, y) => x, b: 1 })",
            r#"({ "a": { "$code": "(x, y) => x" }, "b": 1 })"#,
        );
        check(
            "new A({ a() { return ',' }, b })",
            r#"({ "a": { "$code": "() { return ',' }" }, "b": { "$code": "b" } })"#,
        );
        check(
            "new A({ a: /[,/}]/g, b: 4 / 2 })",
            r#"({ "a": { "$code": "/[,/}]/g" }, "b": { "$code": "4 / 2" } })"#,
        );
        check(
            "new A(f<B, C>('a'), 'a' + b)",
            r#"({ "$code": "f<B, C>('a')" }, { "$code": "'a' + b" })"#,
        );
        check("new A(`a${b({})}`, x?.y)", r#"({ "$code": "`a${b({})}`" }, { "$code": "x?.y" })"#);
    }

    #[test]
    fn constants_are_what_they_stand_for() {
        check(
            "const t = 'x';\nnew A({ t, u: o.p.q })\nconst o = { p: { q: 1 } }",
            r#"({ "t": "x", "u": 1 })"#,
        );
        check(
            "const s = { a: 1, b: 2 }; new A({ ...s, b: 3, ...f() })",
            r#"({ "a": 1, "b": 3, "...": { "$code": "f()" } })"#,
        );
        check("const s = createSchema({ a: 1 });\nexport const e = new A(s);", r#"e({ "a": 1 })"#);
        check("const a = b\nconst b = a; new A(a)", r#"({ "$code": "a" })"#);
        check("const a = 1; function f() { const a = 2 } new A(a)", r#"({ "$code": "a" })"#);
    }

    #[test]
    fn only_the_classes_that_are_asked_for_are_found() {
        check("// new A(1)\n'new A(2)'; new B(3); class C { x = new A(4) } newA(5)", "(4)");
        check("const m = { a: new A(1), b: new A(2) }", "(1) (2)");
    }

    #[test]
    fn mistakes_are_said() {
        for (text, message) in [
            ("new A({ a: 1", "expected , or }, found the end of the file"),
            ("new A('x", "the text has no end"),
            ("new A({ a: })", "expected a value, found '}'"),
            ("new A({ a 1 })", "expected the value of a member, found '1'"),
            ("new A(1", "expected , or ), found the end of the file"),
            ("new A({ = })", "expected the name of a member, found '='"),
        ] {
            let problem = constructions(text, &["A"]).map(drop).unwrap_err();
            assert_eq!(problem.message, message, "{text}");
        }
    }

    #[test]
    fn depth_and_growth_are_bounded_and_no_beginning_of_a_file_panics() {
        for open in ["[", "{a:", "(", "f(", "`${", "createSchema("] {
            let deep = format!("const x = {0}; new A({0}", open.repeat(100_000));
            assert!(constructions(&deep, &["A"]).is_err());
        }
        let mut text = "const a0 = [1];".to_owned();
        for step in 1..9 {
            let before = format!("a{},", step - 1).repeat(30);
            text.push_str(&format!("const a{step} = [{before}];"));
        }
        assert!(constructions(&format!("{text} new A(a8)"), &["A"]).is_ok());
        let text = "const ä = { 'é': /[ü]/, ...x } as const; new A(`ö${\"ß\"}`, <T>(y) => y, ä)";
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            drop(constructions(&text[..end], &["A"]));
            drop(constructions(&text[end..], &["A"]));
        }
    }
}
