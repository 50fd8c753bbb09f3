import HealthSyncDomain
import HealthSyncPorts

extension InMemoryPageTransaction {
    func knownWindows(provider: String) throws -> [KnownWindow] {
        (state.knownWindows[provider] ?? []).sorted { ($0.type, $0.start, $0.end) < ($1.type, $1.start, $1.end) }
    }

    func putKnownWindow(_ window: KnownWindow, provider: String) throws {
        state.knownWindows[provider, default: []].removeAll {
            $0.type == window.type && $0.start >= window.start && $0.end <= window.end && $0.version <= window.version
        }
        state.knownWindows[provider, default: []].append(window)
    }

    func removeKnownWindows(provider: String, before version: Int64) throws {
        state.knownWindows[provider]?.removeAll { $0.version < version }
    }

    func windowParts(provider: String) throws -> [WindowPart] {
        (state.windowParts[provider] ?? []).sorted {
            ($0.start, $0.end, $0.version) < ($1.start, $1.end, $1.version)
        }
    }

    func putWindowPart(_ part: WindowPart, provider: String) throws {
        state.windowParts[provider, default: []].removeAll {
            $0.start == part.start && $0.end == part.end && $0.version == part.version
        }
        state.windowParts[provider, default: []].append(part)
    }

    func removeWindowParts(provider: String, start: Instant, end: Instant, upTo version: Int64) throws {
        state.windowParts[provider]?.removeAll { $0.start == start && $0.end == end && $0.version <= version }
    }

    func feedWindows() throws -> [FeedWindow] {
        state.feedWindows.sorted {
            ($0.provider, $0.type, $0.sourceName ?? "") < ($1.provider, $1.type, $1.sourceName ?? "")
        }
    }

    func putFeedWindow(_ window: FeedWindow) throws {
        state.feedWindows.removeAll {
            $0.provider == window.provider && $0.type == window.type && $0.sourceName == window.sourceName
        }
        state.feedWindows.append(window)
    }

    func pages(of type: SampleType, utcDays days: DayRange) throws -> [PackedPage] {
        state.orderedPages { $0.key.type == type && days.contains($0.key.day) }
    }

    func deletedRows(of type: SampleType, utcDays days: DayRange) throws -> [DeletedRow] {
        state.orderedDeletedRows { $0.type == type && days.contains($0.day) }
    }

    func setUnsentSamples(_ counts: [CalendarDay: Int], of type: SampleType, utcDay: CalendarDay) throws {
        state.unsent[type, default: [:]][utcDay] = counts.isEmpty ? nil : counts
    }
}

extension InMemoryState {
    /// Returns pages, each with its provider, in the order of stores.
    func orderedPages(where isWanted: (ProviderKey) -> Bool) -> [PackedPage] {
        pages.filter { isWanted($0.key) }
            .sorted { Self.order($0.key).lexicographicallyPrecedes(Self.order($1.key)) }
            .map { key, page in
                var page = page
                page.provider = key.provider
                return page
            }
    }

    /// Returns deleted rows with content by provider and identifier.
    func orderedDeletedRows(where isWanted: (SamplePageKey) -> Bool) -> [DeletedRow] {
        deleted.values.filter { $0.content.map { isWanted($0.key) } ?? false }
            .sorted { ($0.provider, $0.externalID) < ($1.provider, $1.externalID) }
    }

    private static func order(_ key: ProviderKey) -> [String] {
        let origin = key.key.origin
        return [
            key.key.type.rawValue, key.key.day.description, origin.sourceName, origin.device,
            origin.isUserEntered ? "1" : "0", origin.isPreAggregated ? "1" : "0", key.provider,
        ]
    }
}
