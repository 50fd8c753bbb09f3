import HealthSyncDomain

/// One metric on one day.
struct ProgressView {
    let progress: DailyProgress

    /// The metric in words: `heart rate`.
    var name: String {
        progress.metric.rawValue.reduce(into: "") { words, letter in
            words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
    }

    /// `9,432`, `7.2 km`, `68/min (44 to 141)`.
    var text: String {
        let figures = progress.figures
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
            "origins": .array(
                progress.origins.map { ["source": .string($0.sourceName), "quantity": .number($0.quantity)] }),
        ]
    }
}
