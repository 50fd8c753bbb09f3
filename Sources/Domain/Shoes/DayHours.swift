/// The hours of one day by name: the hour of the wall clock, with a letter if that hour occurs twice (`2a` and `2b`).
package struct DayHours: Sendable, Hashable {
    /// One hour bucket.
    package struct Hour: Sendable, Hashable {
        /// `8`, or `2a` and `2b` if the hour 2 occurs twice.
        package let name: String
        /// The hour of the wall clock, 0 to 23.
        package let wallHour: Int
        package let range: InstantRange
    }

    package let day: CalendarDay
    /// Ascending.
    package let hours: [Hour]

    /// Creates the hours of `day` by `clock`.
    package init(of day: CalendarDay, clock: DayClock) {
        self.day = day
        let rules = clock.rules(on: day)
        let buckets = clock.hours(of: day).map { range in
            let wall = range.start.seconds + rules.offsetSeconds(at: range.start)
            return (hour: Int((wall - wall.flooredQuotient(by: 86_400) * 86_400) / 3_600), range: range)
        }
        hours = buckets.enumerated().map { index, bucket in
            let isRepeated = buckets.filter { $0.hour == bucket.hour }.count > 1
            let earlier = buckets[..<index].filter { $0.hour == bucket.hour }.count
            let letter = isRepeated ? String(UnicodeScalar(UInt8(0x61 + min(earlier, 25)))) : ""
            return Hour(name: "\(bucket.hour)\(letter)", wallHour: bucket.hour, range: bucket.range)
        }
    }

    /// Parses hours such as `8-11,17`: comma-separated, where `8-11` means 8, 9, 10 and 11. Returns ascending
    /// intervals; adjacent hours are joined.
    ///
    /// - Throws: `.usage` for hours that the day does not have, and for an hour that occurs twice without its letter.
    package func ranges(of text: String) throws(SyncFailure) -> [InstantRange] {
        var chosen: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let low = ends.first, let high = ends.last else { throw malformed(text) }
            let first = try index(of: low, in: text)
            let last = try index(of: high, in: text)
            guard first <= last else {
                throw SyncFailure(
                    .usage, subject: "hours", reason: "\"\(part)\" ends before it begins",
                    advice: "give the earlier hour first")
            }
            chosen.formUnion(first...last)
        }
        var ranges: [InstantRange] = []
        for index in chosen.sorted() {
            if let last = ranges.last, last.end == hours[index].range.start {
                ranges[ranges.count - 1].end = hours[index].range.end
            } else {
                ranges.append(hours[index].range)
            }
        }
        return ranges
    }

    private func index(of name: Substring, in text: String) throws(SyncFailure) -> Int {
        let name = name.withoutOuterSpaces.lowercased()
        let digits = name.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits), digits.count <= 2, name.count - digits.count <= 1 else { throw malformed(text) }
        let letter = name.dropFirst(digits.count)
        if let index = hours.firstIndex(where: { $0.name == "\(number)\(letter)" }) { return index }
        let namesakes = hours.filter { $0.wallHour == number }.map(\.name)
        guard letter.isEmpty, !namesakes.isEmpty else {
            throw SyncFailure(
                .usage, subject: "hours", reason: "\(day) has no hour \(name)",
                advice: hours.isEmpty
                    ? "the time zone skipped this day; use the day before or after"
                    : "its hours are \(hours.map(\.name).joined(separator: " "))")
        }
        throw SyncFailure(
            .usage, subject: "hours", reason: "\(day) has the hour \(number) \(namesakes.count) times",
            advice: "write \(namesakes.joined(separator: " or "))")
    }

    private func malformed(_ text: String) -> SyncFailure {
        SyncFailure(
            .usage, subject: "hours", reason: "\"\(text)\" is not a list of hours",
            advice: "use hours from 0 to 23 and ranges, separated by commas, such as 8-11,17")
    }
}

/// Hours for which the user assigned or cleared shoes. On their day no shoe starts automatically any more, and no
/// earlier session is automatically extended into them.
package struct SettledHours: Sendable, Hashable {
    package let day: CalendarDay
    /// The first instant of the hours.
    package let start: Instant

    package init(day: CalendarDay, start: Instant) {
        self.day = day
        self.start = start
    }
}
