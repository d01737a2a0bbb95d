//! Plots: what they show, and that they are the same each time.

mod made_up;

use std::{fs, path::PathBuf};

use storm_lab::plots::{self, Plot};

fn pictures(plots: &[Plot], folder: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("the directory can be written to");
    for plot in plots {
        fs::write(folder.join(plot.name).with_extension("svg"), &plot.svg)
            .expect("so can the file");
        let png = plot.png().expect("it can be drawn");
        fs::write(folder.join(plot.name).with_extension("png"), png).expect("so can the file");
    }
    println!("pictures: {}", folder.display());
}

const TWELVE: [&str; 12] = [
    "naive",
    "full jitter",
    "ratio 10 % per 60 s",
    "success budget",
    "equal jitter + success budget",
    "decorrelated",
    "gRPC throttling",
    "AWS standard 2026",
    "breaker & budget",
    "hedged <p95>",
    "no retry",
    "deadline 2 s, suppression",
];

#[test]
fn pictures_of_one_of_four_and_of_twelve_policies() {
    let one = made_up::scenario(&["naive"], &["backend"]);
    pictures(&plots::all(&one, &made_up::outcomes(&one)), "one");
    let four = made_up::scenario(&TWELVE[..4], &["edge", "orders", "store"]);
    pictures(&plots::all(&four, &made_up::outcomes(&four)), "four");
    let twelve = made_up::scenario(&TWELVE, &["edge", "orders", "store"]);
    pictures(&plots::all(&twelve, &made_up::outcomes(&twelve)), "twelve");
    let (wave, outcomes) = made_up::wave();
    pictures(&plots::all(&wave, &outcomes), "wave");
}
