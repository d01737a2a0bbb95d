//! How long something takes.

use std::time::Duration;

/// How long something takes, at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always as long.
    Fixed(Duration),
    /// Exponential, with this mean.
    Exponential(Duration),
    /// Evenly from one to the other.
    Uniform(Duration, Duration),
    /// The absolute value of a normal one, as Amazon's simulator has it.
    Normal {
        /// Its mean.
        mean: Duration,
        /// Its standard deviation.
        deviation: Duration,
    },
    /// Log-normal, by its median and its 99th percentile.
    LogNormal {
        /// Half take longer.
        median: Duration,
        /// One of a hundred takes longer.
        p99: Duration,
    },
}

impl Distribution {
    /// Nothing.
    pub const ZERO: Self = Self::Fixed(Duration::ZERO);

    /// The mean of it.
    pub fn mean(&self) -> Duration {
        match *self {
            Self::Fixed(time) | Self::Exponential(time) => time,
            Self::Uniform(from, to) => (from + to) / 2,
            // The fold at zero is left out: it matters where the deviation is of the mean's size.
            Self::Normal { mean, .. } => mean,
            Self::LogNormal { median, p99 } => {
                let sigma = (p99.as_secs_f64() / median.as_secs_f64()).ln() / Z99;
                median.mul_f64((sigma * sigma / 2.0).exp())
            }
        }
    }
}

/// How many standard deviations above its mean 1 % of a normal distribution lies.
pub const Z99: f64 = 2.326_347_874_040_841;
