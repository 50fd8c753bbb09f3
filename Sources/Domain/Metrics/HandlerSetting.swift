/// A setting of a handler. The configuration file states its value as `plugins.METRIC.NAME`, where METRIC is that of the handler.
///
/// ```swift
/// static let goal = HandlerSetting("goal", .wholeNumber(1...100_000, default: 8_000), "Steps of a day that reach the goal")
/// ```
public struct HandlerSetting: Sendable, Hashable {
    /// The values that a setting may have, with its default.
    public enum Values: Sendable, Hashable {
        /// A whole number in a range.
        case wholeNumber(ClosedRange<Int>, default: Int)
        /// `true` or `false`.
        case flag(default: Bool)
        /// One of several texts.
        case choice([String], default: String)
    }

    /// A value of a setting.
    public enum Value: Sendable, Hashable {
        /// A whole number.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// A text.
        case text(String)
    }

    /// The name in lower camel case.
    public let name: String
    /// The values that it may have.
    public let values: Values
    /// What it determines, without a full stop.
    public let summary: String
    /// The key in the configuration if it is a setting of the program, which other handlers read, too.
    package let programKey: String?

    /// Creates a setting of the handler that declares it.
    public init(_ name: String, _ values: Values, _ summary: String) {
        self.init(name, values, summary, programKey: nil)
    }

    private init(_ name: String, _ values: Values, _ summary: String, programKey: String?) {
        self.name = name
        self.values = values
        self.summary = summary
        self.programKey = programKey
    }

    /// The value without a configuration.
    public var standard: Value {
        switch values {
        case .wholeNumber(_, let number): .number(number)
        case .flag(let flag): .flag(flag)
        case .choice(_, let text): .text(text)
        }
    }

    /// Returns whether the setting may have `value`.
    public func allows(_ value: Value) -> Bool {
        switch (values, value) {
        case (.wholeNumber(let range, _), .number(let number)): range.contains(number)
        case (.flag, .flag): true
        case (.choice(let texts, _), .text(let text)): texts.contains(text)
        default: false
        }
    }
}

/// Settings of the program that a handler may declare as its own, so that it derives days again when one changes.
extension HandlerSetting {
    /// `sleep.gapMinutes`: the longest gap within one sleep session, in minutes.
    public static let sleepGapMinutes = HandlerSetting(
        "sleepGapMinutes", .wholeNumber(1...720, default: SleepSessionBuilder.standardGapMinutes),
        "Longest gap within one sleep session, in minutes", programKey: "sleep.gapMinutes")
    /// `sleep.nightGapMinutes`: the longest time between the parts of one night, in minutes.
    public static let sleepNightGapMinutes = HandlerSetting(
        "sleepNightGapMinutes", .wholeNumber(0...720, default: SleepSessionBuilder.standardNightGapMinutes),
        "Longest time between the parts of one night, in minutes", programKey: "sleep.nightGapMinutes")
    /// `heartRate.holdMinutes`: how many minutes a heart rate measurement counts in the mean.
    public static let heartRateHoldMinutes = HandlerSetting(
        "heartRateHoldMinutes", .wholeNumber(1...120, default: DiscreteSummary.standardHoldMinutes),
        "Minutes for which a heart rate measurement counts in the mean", programKey: "heartRate.holdMinutes")
}

/// The values of the settings that a handler declares.
public struct HandlerSettings: Sendable, Hashable {
    private let values: [HandlerSetting: HandlerSetting.Value]

    /// Creates values. A setting without one, and one with a value that it does not allow, has its default.
    public init(_ values: [HandlerSetting: HandlerSetting.Value] = [:]) {
        self.values = values.filter { $0.key.allows($0.value) }
    }

    /// Returns the value of a setting.
    public func value(_ setting: HandlerSetting) -> HandlerSetting.Value { values[setting] ?? setting.standard }

    /// Returns the value of a whole number; 0 for a setting of another kind.
    public func number(_ setting: HandlerSetting) -> Int {
        if case .number(let number) = value(setting) { number } else { 0 }
    }

    /// Returns the value of a flag; `false` for a setting of another kind.
    public func flag(_ setting: HandlerSetting) -> Bool {
        if case .flag(let flag) = value(setting) { flag } else { false }
    }

    /// Returns the text of a choice; empty for a setting of another kind.
    public func text(_ setting: HandlerSetting) -> String {
        if case .text(let text) = value(setting) { text } else { "" }
    }
}
