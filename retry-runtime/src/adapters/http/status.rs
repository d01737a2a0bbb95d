//! `http::StatusCode`.

use ::http::StatusCode;

use crate::{Classification, Retryable};

/// As [`Classification::from_status`] says; the label is the code, such as `503`.
impl Retryable for StatusCode {
    fn classify(&self) -> Classification {
        Classification::from_status(self.as_u16())
    }
    fn label(&self) -> &'static str {
        label(self.as_u16())
    }
}

const FIRST: u16 = 100;

/// The digits of the codes from 100 to 599, one code after the other. Others are not valid in HTTP,
/// and a server that makes them up adds no labels.
const DIGITS: [u8; 3 * 500] = {
    let mut digits = [0; 3 * 500];
    let mut code = *b"100";
    let mut at = 0;
    while at < digits.len() {
        digits[at] = code[0];
        digits[at + 1] = code[1];
        digits[at + 2] = code[2];
        at += 3;
        code[2] += 1;
        if code[2] > b'9' {
            code[2] = b'0';
            code[1] += 1;
        }
        if code[1] > b'9' {
            code[1] = b'0';
            code[0] += 1;
        }
    }
    digits
};

static LABELS: &str = match std::str::from_utf8(&DIGITS) {
    Ok(labels) => labels,
    Err(_) => panic!("digits are text"),
};

fn label(code: u16) -> &'static str {
    let start = 3 * usize::from(code.wrapping_sub(FIRST));
    LABELS.get(start..start + 3).unwrap_or("_OTHER")
}
