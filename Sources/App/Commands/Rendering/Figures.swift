import HealthSyncDomain

/// Formats numbers and times for text output.
enum Figures {
    /// Returns a whole number with thousands separators: `7,585,700`.
    static func grouped(_ number: Int) -> String {
        var text = ""
        let digits = String(number.magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// Returns a number rounded to `places` decimals, with thousands separators and without trailing zeros.
    static func rounded(_ number: Double, places: Int = 1) -> String {
        let text = fixed(number, places: places)
        guard places > 0, text.contains(".") else { return text }
        let trimmed = text.reversed().drop { $0 == "0" }
        return String((trimmed.first == "." ? trimmed.dropFirst() : trimmed).reversed())
    }

    /// Returns a number rounded to `places` decimals, with thousands separators.
    static func fixed(_ number: Double, places: Int) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "\(number)" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((number * Double(scale)).rounded())
        let whole = grouped(abs(scaled) / scale)
        let fraction = places == 0 ? "" : String(abs(scaled) % scale + scale).dropFirst()
        return (scaled < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    /// Returns a number with its noun: `1 day`, `3,652 days`.
    static func count(_ number: Int, _ noun: String) -> String {
        CountText.of(number, noun, number: grouped)
    }

    /// Returns local time as `2024-01-15 22:58`. Appends the offset if that time occurs twice or if `showsOffset` is set:
    /// `2024-10-27 02:30 +02:00`.
    static func wallClock(_ instant: Instant, _ clock: DayClock, showsOffset: Bool = false) -> String {
        let local = local(instant, clock)
        let date = local.prefix { $0 != "T" }
        let time = "\(date) \(local.dropFirst(date.count + 1).prefix(5))"
        return showsOffset || clock.showsTwice(instant) ? "\(time) \(local.suffix(6))" : time
    }

    /// Returns local time in RFC 3339 with its offset.
    static func local(_ instant: Instant, _ clock: DayClock) -> String {
        RFC3339.string(instant, offsetSeconds: clock.offsetSeconds(at: instant))
    }
}

/// Figures of a metric as text.
struct FigureText {
    let definition: MetricDefinition

    /// Returns a number without its unit; `-` for `nil`.
    func number(_ value: Double?) -> String {
        guard let value else { return "-" }
        let shown = definition.shownNumber(value)
        return Figures.rounded(shown, places: definition.places(of: shown))
    }

    /// Returns a number with its unit: `482 kcal`, `52/min`, `97%`.
    func quantity(_ value: Double?) -> String { number(value) + (value == nil ? "" : definition.unitSuffix) }

    /// The unit of a table, after its title: `, per minute`; empty for counts.
    var caption: String {
        switch definition.unit {
        case "", "count": ""
        case "count/min": ", per minute"
        case "%": ", in %"
        default: ", in \(definition.unit)"
        }
    }

    /// Returns `48 to 120/min`; `nil` without minimum or maximum.
    func range(_ figures: ProgressFigures) -> String? {
        guard let minimum = figures.minimum, let maximum = figures.maximum else { return nil }
        return "\(number(minimum)) to \(quantity(maximum))"
    }
}
