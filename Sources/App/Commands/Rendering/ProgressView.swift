import HealthSyncDomain

/// One metric on one day.
struct ProgressView {
    let progress: DailyProgress

    /// The name of the metric in words: `heart rate`.
    var name: String {
        progress.metric.rawValue.reduce(into: "") { words, letter in
            words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
    }

    /// `9,432`, `7.2 km`, `21/min (14 to 31)`; for heart rate only the range: `44 to 141/min`.
    var text: String {
        let figures = progress.figures
        // The mean heart rate of a day is less useful than its range.
        if progress.metric == .heartRate, let minimum = figures.minimum, let maximum = figures.maximum {
            return "\(Figures.rounded(minimum)) to \(Figures.rounded(maximum))\(unit)"
        }
        var text = Figures.rounded(figures.quantity) + unit
        if let minimum = figures.minimum, let maximum = figures.maximum {
            text += " (\(Figures.rounded(minimum)) to \(Figures.rounded(maximum)))"
        }
        return text
    }

    private var unit: String {
        switch progress.unit {
        case "", "count": ""
        case "count/min": "/min"
        default: " \(progress.unit)"
        }
    }

    var json: JSONValue {
        let figures = progress.figures
        return [
            "metric": .string(progress.metric.rawValue), "day": .string("\(progress.day)"),
            "unit": .string(progress.unit), "quantity": .number(figures.quantity),
            "minimum": .optional(figures.minimum), "maximum": .optional(figures.maximum),
            "count": figures.count.map(JSONValue.count) ?? .null,
            "heldMinutes": .optional(figures.heldMilliseconds.map { Double($0) / 60_000 }),
            "origins": .array(
                progress.origins.map { ["source": .string($0.sourceName), "quantity": .number($0.quantity)] }),
        ]
    }
}
