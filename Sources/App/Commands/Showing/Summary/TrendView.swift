import HealthSyncDomain

/// Thirty days of a metric, compared with earlier ones.
struct TrendView: JSONEncodable {
    let metric: HealthMetric
    let trend: MetricTrend

    var json: JSONValue {
        [
            "metric": metric.rawValue,
            "first": trend.days.first,
            "last": trend.days.last,
            "average": trend.average,
            "averageBefore": trend.averageBefore,
            "averageYearAgo": trend.averageYearAgo,
        ]
    }
}
