import HealthSyncDomain

/// A formatter of dates in Apple's form, `2024-01-15 08:00:00 +0100`, all with the UTC offset at the time of the
/// export.
struct AppleDate: Sendable {
    let offsetSeconds: Int64
    private var text: [UInt8]
    private var ordinal = Int.min

    init(offsetSeconds: Int64) {
        self.offsetSeconds = offsetSeconds
        let minutes = Int(offsetSeconds.magnitude / 60)
        let sign = offsetSeconds < 0 ? "-" : "+"
        let offset = sign + CalendarDay.padded(minutes / 60, 2) + CalendarDay.padded(minutes % 60, 2)
        text = Array("0000-00-00 00:00:00 \(offset)".utf8)
    }

    /// Appends the 25 bytes of `instant`, in seconds since 1970.
    mutating func append(_ instant: Int64, to bytes: inout [UInt8]) {
        let wall = instant + offsetSeconds
        let day = Int(wall.flooredQuotient(by: 86_400))
        if day != ordinal {
            text.replaceSubrange(0..<10, with: CalendarDay(ordinal: day).description.utf8)
            ordinal = day
        }
        let second = Int(wall) - day * 86_400
        put(second / 3600, at: 11)
        put(second / 60 % 60, at: 14)
        put(second % 60, at: 17)
        bytes.append(contentsOf: text)
    }

    func text(_ instant: Int64) -> String {
        var copy = self
        var bytes: [UInt8] = []
        copy.append(instant, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the time of day in the form of heartbeats: `7:05:09.25 AM`.
    func timeOfDay(_ instant: Int64, hundredths: Int64) -> String {
        let wall = instant + offsetSeconds
        let second = Int(wall - wall.flooredQuotient(by: 86_400) * 86_400)
        let hour = second / 3600
        return "\((hour + 11) % 12 + 1):\(CalendarDay.padded(second / 60 % 60, 2)):"
            + "\(CalendarDay.padded(second % 60, 2)).\(CalendarDay.padded(Int(hundredths), 2)) \(hour < 12 ? "AM" : "PM")"
    }

    private mutating func put(_ number: Int, at place: Int) {
        text[place] = 0x30 + UInt8(truncatingIfNeeded: number / 10)
        text[place + 1] = 0x30 + UInt8(truncatingIfNeeded: number % 10)
    }
}
