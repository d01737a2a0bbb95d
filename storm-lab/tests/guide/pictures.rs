//! Pictures for pages that rustdoc shows too: what it writes has no files beside it, so these are part of the page.

use std::{env, fmt::Write as _, fs, path::PathBuf};

/// The pages that have pictures, and are modules of `stormless::guide`.
const PAGES: [&str; 2] = ["choosing.md", "nesting.md"];
const DEFINITIONS: &str = "lab/pictures.md";

fn docs(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(docs(path)).unwrap_or_else(|error| panic!("docs/{path}: {error}"))
}

/// What stands in `![…][here]`, in all pages.
fn shown() -> Vec<String> {
    let mut shown = Vec::new();
    for page in PAGES {
        let text = read(page);
        let images = text.lines().filter(|line| line.starts_with("!["));
        let labels = images.map(|line| {
            let label = line.split_once("][").and_then(|(_, rest)| rest.strip_suffix(']'));
            label.unwrap_or_else(|| panic!("docs/{page} shows a picture by its path: `{line}`"))
        });
        shown.extend(labels.map(str::to_owned));
    }
    shown.sort();
    shown.dedup();
    shown
}

/// As the address of a picture. Percent-encoded it is smaller than in base64, and packs better.
fn address(svg: &str) -> String {
    assert!(!svg.contains('\''), "attributes could not have these quotes");
    let mut address = "data:image/svg+xml,".to_owned();
    for byte in svg.bytes() {
        match byte {
            b'"' => address.push('\''),
            _ if byte.is_ascii_alphanumeric() || b"-_.~/:=;,!*+$?@".contains(&byte) => {
                address.push(byte.into());
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

fn definitions() -> String {
    let lines = shown().into_iter().map(|label| {
        let address = address(&read(&label));
        format!("[{label}]: {address}\n")
    });
    lines.collect::<Vec<_>>().concat()
}

/// After the pictures themselves were.
pub(crate) fn renew() {
    fs::write(docs(DEFINITIONS), definitions()).expect("the definitions can be written");
}

#[test]
fn the_documentation_shows_the_pictures_that_there_are() {
    // The test that draws them writes these too.
    if env::var_os("STORMLESS_RENEW").is_some() {
        return;
    }
    assert!(shown().len() > PAGES.len(), "{:?}", shown());
    assert!(
        read(DEFINITIONS) == definitions(),
        "docs/{DEFINITIONS} is not what the pictures are now: \
         `STORMLESS_RENEW=1 cargo test -p storm-lab --test guide`"
    );
}

#[test]
fn an_address_has_nothing_that_would_end_it() {
    let svg = "<svg a=\"b c\">(%#&é)\n</svg>\n";
    let wanted = "data:image/svg+xml,%3Csvg%20a='b%20c'%3E%28%25%23%26%C3%A9%29%0A%3C/svg%3E%0A";
    assert_eq!(address(svg), wanted);
}
