import HealthSyncDomain
import HealthSyncPorts

/// The complete windows of a change stream: those of earlier readings, and those that a reading completes.
struct StreamWindows {
    /// Parts are stored for the most recent windows only, because a lost part may never arrive.
    private static let windowsKept = 8

    /// The windows that the reading states or completes.
    let arriving: [KnownWindow]
    private let stored: [SampleType: [KnownWindow]]
    private let all: [SampleType: [KnownWindow]]

    /// Completes windows from the parts in `reading` and the stored parts, and stores the windows of selected types and
    /// the parts of windows that are not complete.
    init(
        _ reading: SourceReading, provider: String, isSelected: (SampleType) -> Bool,
        transaction: any SamplePageTransaction
    ) throws {
        let known = try transaction.knownWindows(provider: provider)
        let complete =
            reading.windows + (try Self.completed(by: reading.windowParts, provider: provider, transaction))
        arriving = complete.flatMap { window in
            window.types.filter(isSelected).sorted().map {
                KnownWindow(type: $0, start: window.start, end: window.end, version: window.version)
            }
        }
        for window in arriving { try transaction.putKnownWindow(window, provider: provider) }
        stored = Dictionary(grouping: known, by: \.type)
        all = Dictionary(grouping: known + arriving, by: \.type)
    }

    /// Whether no window is known.
    var isEmpty: Bool { all.isEmpty }

    /// Returns the highest version of the windows that contain `start`; `nil` if none does.
    func version(of type: SampleType, at start: Int64) -> Int64? { Self.version(all[type] ?? [], start) }

    /// Returns the highest version of the windows of earlier readings that contain `start`. A sample that is stored
    /// without a version was in them, or arrived later.
    func earlierVersion(of type: SampleType, at start: Int64) -> Int64? { Self.version(stored[type] ?? [], start) }

    /// Returns the windows of `type` that contain `start`.
    func containing(_ start: Int64, of type: SampleType) -> [KnownWindow] {
        (all[type] ?? []).filter { $0.contains(start) }
    }

    private static func version(_ windows: [KnownWindow], _ start: Int64) -> Int64? {
        windows.lazy.filter { $0.contains(start) }.map(\.version).max()
    }

    private static func completed(
        by parts: [WindowPart], provider: String, _ transaction: any SamplePageTransaction
    ) throws -> [CompleteWindow] {
        guard !parts.isEmpty else { return [] }
        let stored = Dictionary(grouping: try transaction.windowParts(provider: provider), by: Interval.init)
        var complete: [CompleteWindow] = []
        for (interval, arriving) in Dictionary(grouping: parts, by: Interval.init) {
            let all = arriving + (stored[interval] ?? [])
            complete += WindowPart.complete(all)
            if WindowPart.isWhole(all), let last = all.filter(\.isLast).map(\.version).max() {
                try transaction.removeWindowParts(
                    provider: provider, start: interval.start, end: interval.end, upTo: last)
                for part in arriving where part.version > last {
                    try transaction.putWindowPart(part, provider: provider)
                }
            } else {
                for part in arriving { try transaction.putWindowPart(part, provider: provider) }
            }
        }
        try prune(provider, transaction)
        return complete.sorted { ($0.version, $0.start, $0.end) < ($1.version, $1.start, $1.end) }
    }

    private static func prune(_ provider: String, _ transaction: any SamplePageTransaction) throws {
        let windows = Dictionary(grouping: try transaction.windowParts(provider: provider), by: Interval.init)
            .mapValues { parts in parts.map(\.version).max() ?? 0 }
        for (interval, latest) in windows.sorted(by: { $1.value < $0.value }).dropFirst(windowsKept) {
            try transaction.removeWindowParts(
                provider: provider, start: interval.start, end: interval.end, upTo: latest)
        }
    }

    private struct Interval: Hashable {
        let start: Instant
        let end: Instant

        init(_ part: WindowPart) { (start, end) = (part.start, part.end) }
    }
}

extension KnownWindow {
    /// Whether an instant, in milliseconds since 1970, is in the window.
    func contains(_ milliseconds: Int64) -> Bool {
        start.milliseconds <= milliseconds && milliseconds < end.milliseconds
    }
}
