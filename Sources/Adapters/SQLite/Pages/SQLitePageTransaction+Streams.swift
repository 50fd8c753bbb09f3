import HealthSyncDomain
import HealthSyncPorts

extension SQLitePageTransaction {
    func knownWindows(provider: String) throws -> [KnownWindow] {
        try WindowRows.known(of: provider, over: connection)
    }

    func putKnownWindow(_ window: KnownWindow, provider: String) throws {
        try WindowRows.put(window, of: provider, over: connection)
    }

    func removeKnownWindows(provider: String, before version: Int64) throws {
        try connection.execute("DELETE FROM complete_window WHERE provider = ? AND version < ?", provider, version)
    }

    func windowParts(provider: String) throws -> [WindowPart] { try WindowRows.parts(of: provider, over: connection) }

    func putWindowPart(_ part: WindowPart, provider: String) throws {
        try WindowRows.put(part, of: provider, over: connection)
    }

    func removeWindowParts(provider: String, start: Instant, end: Instant, upTo version: Int64) throws {
        try connection.execute(
            "DELETE FROM window_part WHERE provider = ? AND start_ms = ? AND end_ms = ? AND version <= ?", provider,
            start, end, version)
    }

    func feedWindows() throws -> [FeedWindow] { try FeedRows.windows(over: connection) }

    func putFeedWindow(_ window: FeedWindow) throws { try FeedRows.put(window, over: connection) }

    func pages(of type: SampleType, utcDays days: DayRange) throws -> [PackedPage] {
        try pending.write(over: connection)
        return try SQLiteSamplePageStore.pages(of: [type], utcDays: days, over: connection)
    }

    func deletedRows(of type: SampleType, utcDays days: DayRange) throws -> [DeletedRow] {
        try DeletedRows.rows(of: [type], days: days, over: connection)
    }

    func setUnsentSamples(_ counts: [CalendarDay: Int], of type: SampleType, utcDay: CalendarDay) throws {
        try FeedRows.setUnsent(counts, of: type, utcDay: utcDay, over: connection)
    }
}
