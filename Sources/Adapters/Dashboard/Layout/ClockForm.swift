/// The 12-hour or 24-hour clock.
enum ClockForm: Sendable {
    case hours12
    case hours24

    /// The languages that use 12 hours, and regions of languages that otherwise use 24. English without a region uses 24.
    private static let by12: Set<String> = [
        "en-us", "en-ca", "en-au", "en-nz", "en-in", "en-ph", "en-my", "en-sg", "en-pk", "en-hk", "en-jm",
        "en-tt", "es-ar", "es-cl", "es-co", "es-mx", "es-pe", "es-pr", "es-us", "es-ve", "zh-hk", "zh-tw",
        "am", "ar", "bn", "el", "fil", "gu", "hi", "km", "kn", "ko", "lo", "ml", "mr", "ms", "my", "ne",
        "pa", "si", "so", "sq", "ta", "te", "ur",
    ]

    /// Creates the clock of the preferred language in an `Accept-Language` header; 24 hours without one.
    init(language: String) {
        let tag = AcceptedLanguages.tags(language).first ?? ""
        let isBy12 = Self.by12.contains(tag) || Self.by12.contains(String(tag.prefix { $0 != "-" }))
        self = isBy12 ? .hours12 : .hours24
    }

    /// Returns `14:05` unchanged, or as `2:05 PM`.
    func text(_ time: Substring) -> String {
        guard self == .hours12, let hour = Int(time.prefix(2)) else { return String(time) }
        return "\((hour + 11) % 12 + 1)\(time.dropFirst(2)) \(hour < 12 ? "AM" : "PM")"
    }

    /// Returns the hour of `14:05` alone: `14` or `2 PM`.
    func hour(_ time: Substring) -> String {
        guard self == .hours12, let hour = Int(time.prefix(2)) else { return String(time.prefix(2)) }
        return "\((hour + 11) % 12 + 1) \(hour < 12 ? "AM" : "PM")"
    }
}
