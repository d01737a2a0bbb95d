//! What a source of shapes says about itself: titles, signatures as they are written, and texts.
//!
//! Sources are read as text, as `cargo fmt` lays it out: tests start and end at the left margin.

/// One row of a table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) title: String,
    pub(crate) written: String,
    pub(crate) happens: String,
}

/// The shapes of one source, in its order.
///
/// The function of a shape is the first annotated one in its test or, where that has none, between
/// its test and the one before.
pub(crate) fn shapes(source: &str) -> Vec<Shape> {
    let lines: Vec<&str> = source.lines().collect();
    let mut shapes = Vec::new();
    let mut end = 0;
    while let Some(test) = (end..lines.len()).find(|&at| is_test(lines[at])) {
        let start = end;
        end = (test..lines.len()).find(|&at| lines[at] == "}").expect("a test ends at the margin");
        let first = (start..test).rfind(|&at| lines[at].is_empty()).map_or(start, |at| at + 1);
        let docs = lines[first..test].iter().take_while(|line| line.starts_with("///")).count();
        let text: Vec<&str> = lines[first..first + docs]
            .iter()
            .map(|line| line.trim_start_matches('/').trim())
            .filter(|line| !line.is_empty())
            .collect();
        let place = lines[test..end].join("\n");
        let [title, happens @ ..] = &text[..] else { panic!("no doc comment above\n{place}") };
        assert!(!happens.is_empty(), "the doc comment does not say what happens in\n{place}");
        let written = written(&lines[first + docs..end])
            .or_else(|| written(&lines[start..first]))
            .unwrap_or_else(|| panic!("nothing is annotated in\n{place}"));
        let title = title.strip_suffix('.').unwrap_or(title).to_owned();
        shapes.push(Shape { title, written, happens: happens.join(" ") });
    }
    shapes
}

/// How many tests a source has, wherever they stand.
pub(crate) fn tests(source: &str) -> usize {
    source.lines().filter(|line| is_test(line.trim_start())).count()
}

fn is_test(line: &str) -> bool {
    line == "#[test]" || line.starts_with("#[tokio::test")
}

/// The first annotated item: its attributes and its head, each on one line.
pub(crate) fn written(lines: &[&str]) -> Option<String> {
    let retry = lines.iter().position(|line| is_retry(line.trim_start()))?;
    // Other attributes may stand above.
    let above = |line: &str| {
        let line = line.trim();
        line.is_empty()
            || line == "$("
            || line.ends_with(['{', '}', ';'])
            || line.starts_with("// ")
    };
    let first = lines[..retry].iter().rposition(|line| above(line)).map_or(0, |at| at + 1);
    let item = lines[first..].join("\n");
    let (docs, code): (Vec<&str>, Vec<&str>) =
        head(&item).lines().map(str::trim).partition(|line| line.starts_with("///"));
    let code: Vec<&str> = code.into_iter().map(without_comment).collect();
    let code = one_line(&code.join(" "));
    Some(
        docs.into_iter()
            .chain([&*code])
            .map(|line| format!("`{line}`"))
            .collect::<Vec<_>>()
            .join("<br>"),
    )
}

/// `#[retry]` under any path or name, or as a part of `#[cfg_attr]`.
fn is_retry(line: &str) -> bool {
    let Some(attribute) = line.strip_prefix("#[") else { return false };
    let path = attribute.split(['(', ']']).next().unwrap_or_default();
    path.ends_with("retry") || (path == "cfg_attr" && attribute.contains("retry"))
}

/// All that stands before the body's brace, or before the end of a macro's repetition.
fn head(item: &str) -> &str {
    let (mut open, mut angles, mut quoted, mut last) = (0_u32, 0_u32, false, ' ');
    let mut comment = false;
    for (at, char) in item.char_indices() {
        comment = (comment && char != '\n') || (!quoted && item[at..].starts_with("//"));
        match char {
            _ if comment => {}
            '"' if last != '\\' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => open += 1,
            ')' | ']' if open == 0 => return &item[..at],
            ')' | ']' => open -= 1,
            _ if open > 0 => {}
            '<' => angles += 1,
            '>' if last != '-' && last != '=' => angles = angles.saturating_sub(1),
            '{' | '}' | ';' if angles == 0 => return &item[..at],
            _ => {}
        }
        last = char;
    }
    item
}

fn without_comment(line: &str) -> &str {
    if line.starts_with("//") { "" } else { line.split_once(" //").map_or(line, |(code, _)| code) }
}

/// The same on one line, without the comma that ends a list of lines.
fn one_line(code: &str) -> String {
    let words: Vec<&str> = code.split_whitespace().collect();
    let mut line = words.join(" ");
    for (broken, whole) in [("( ", "("), (", )", ")"), (" )", ")"), ("< ", "<"), (", >", ">")] {
        line = line.replace(broken, whole);
    }
    let line = line.trim_end_matches(',');
    without_reasons(line)
}

/// Why a lint is expected is of no interest to who looks for a shape.
fn without_reasons(line: &str) -> String {
    match line.split_once(", reason = \"") {
        None => line.to_owned(),
        Some((before, rest)) => {
            let after = rest.split_once('"').map_or("", |(_, after)| after);
            format!("{before}{}", without_reasons(after))
        }
    }
}

#[test]
fn an_annotated_function_is_found_wherever_it_stands() {
    let source = r#"
//! A module.

/// In the test.
/// It runs.
/// Twice.
#[tokio::test(start_paused = true)]
#[expect(unused, reason = "a lint")]
async fn inside() {
    static TRIES: Tries = Tries::failing(2);
    impl<T> Store<T> {
        /// Fetches "one {".
        #[instrument]
        #[stormless::retry(
            idempotent = a > b,
            classify = |_: &Failed| { "{" },
        )]
        /// Or "none".
        #[expect(dead_code, reason = "never {called}")]
        pub(crate) async fn fetch<const N: usize>(
            &self, // "lent
            // {
            other: Other<{ 1 + 1 }>,
        ) -> Result<[u8; 2], Other<{ N }>>
        where
            T: Fn() -> u8,
        {
            /// Another.
            #[retry]
            async fn second() {}
        }
    }
}

macro_rules! define {
    ($name:ident, $out:ty, $body:block) => {
        #[cfg_attr(all(), retry)]
        async fn $name() -> $out $body
    };
}

/// Before the test
/// It runs.
#[test]
fn before() {
    assert!(true);
}
"#;
    let [inside, before] = &shapes(source)[..] else { panic!("not two shapes") };
    assert_eq!((&*inside.title, &*inside.happens), ("In the test", "It runs. Twice."));
    assert_eq!(
        inside.written,
        "`/// Fetches \"one {\".`<br>`/// Or \"none\".`<br>`#[instrument] #[stormless::retry(idempotent = a > b, classify = |_: \
         &Failed| { \"{\" })] #[expect(dead_code)] pub(crate) async fn fetch<const N: usize>(&self, \
         other: Other<{ 1 + 1 }>) -> Result<[u8; 2], Other<{ N }>> where T: Fn() -> u8`"
    );
    assert_eq!((&*before.title, &*before.happens), ("Before the test", "It runs."));
    assert_eq!(before.written, "`#[cfg_attr(all(), retry)] async fn $name() -> $out $body`");
    assert_eq!(tests(source), 2);
}
