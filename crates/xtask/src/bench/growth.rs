//! The arithmetic of measurements: medians, means of ratios, exponents of growth.

/// The middle of some times; the upper one of two middles.
pub(crate) fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// The mean of ratios, for which twice as fast and half as fast cancel out.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// The exponent `e` for which `cost = c * size^e` fits best: the slope of the line of least squares through the
/// logarithms. It needs two sizes.
pub(crate) fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(size, cost)| (size.ln(), cost.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|log| log.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|log| log.1).sum::<f64>() / count;
    let spread: f64 = logs.iter().map(|log| (log.0 - mean_x).powi(2)).sum();
    let together: f64 = logs.iter().map(|log| (log.0 - mean_x) * (log.1 - mean_y)).sum();
    (logs.len() > 1 && spread > 0.0).then(|| together / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn middles_and_means() {
        assert!(near(median(vec![3.0, 1.0, 2.0]), 2.0));
        assert_eq!(median(Vec::new()), None);
        assert!(near(geometric_mean(&[0.5, 2.0, 1.0]), 1.0));
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let squares: Vec<(f64, f64)> = [50.0, 100.0, 500.0].iter().map(|&n| (n, 3.0 * n * n)).collect();
        assert!(near(exponent(&squares), 2.0));
        assert_eq!(exponent(&squares[..1]), None);
    }
}
