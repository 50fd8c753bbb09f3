import HealthSyncDomain

/// Decides when small pages are merged. Eight pages of a size class become one page of the next, so that a sample is
/// written at most four times, and a series has few small pages.
enum PageMerging {
    private static let fanIn = 8

    /// Returns how many of the last pages of a series are merged with `count` new samples, which begin at `position`.
    static func merged(_ pages: [PageSpan], with count: Int, at position: Int64) -> Int {
        var merged = 0
        var size = count
        var next = position
        while true {
            let limit = Self.limit(of: size)
            var pending = 0
            var pendingSize = 0
            var first = next
            for span in pages.dropLast(merged).reversed() {
                guard span.count < limit, span.isConsecutive, span.last + 1 == first else { break }
                pending += 1
                pendingSize += span.count
                first = span.first
            }
            guard pending >= fanIn - 1 else { return merged }
            merged += pending
            size += pendingSize
            next = first
        }
    }

    /// Returns the size from which a page belongs to a higher class than a page with `count` samples; 0 if pages of its
    /// size are not merged.
    private static func limit(of count: Int) -> Int { [16, 128, 1_024].first { count < $0 } ?? 0 }
}
