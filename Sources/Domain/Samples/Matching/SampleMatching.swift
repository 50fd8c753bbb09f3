/// Recognizes measurements that arrive through several inputs, so that each is counted once.
///
/// Two samples of different inputs are the same measurement if type, source name, value, and start and end truncated
/// to seconds agree. Values are compared to the digits that both keep (`ValueAgreement`); the device is ignored. If n
/// samples in one input agree with m in another, the larger number is kept. Aggregates that a feed computed
/// (pre-aggregated buckets) are not matched. A sample that a change stream deleted removes one such sample from each
/// other input, and a bucket that contains nothing else (`DeletedBuckets`).
///
/// The result depends only on the samples, not on the order of the pages. Matching only compares samples of the same
/// second, so it does not depend on which days are read together either.
package enum SampleMatching {
    /// Returns the samples of `pages`, all of one type, with each measurement once. An origin may occur several
    /// times.
    package static func matched(_ stored: [InputSamples]) -> [OriginSamples] {
        let buckets = DeletedBuckets(stored)
        let pages = buckets.map { buckets in stored.compactMap { buckets.removed(from: $0) } } ?? stored
        guard let first = pages.first, pages.contains(where: { $0.input != first.input }) else {
            return pages.filter { !$0.areDeleted }.map { OriginSamples(origin: $0.origin, columns: $0.columns) }
        }
        let unnamed = pages.filter(\.areUnnamed)
        guard unnamed.isEmpty else {
            let named = pages.filter { !$0.areUnnamed }
            return matched(named) + UnnamedSamples(unnamed).unmatched(by: named)
        }
        var names: [SampleOrigin: String] = [:]
        var inputs: [String: Set<String>] = [:]
        for page in pages where !page.origin.isPreAggregated {
            let name = names[page.origin] ?? InputSamples.comparedName(page.origin.sourceName)
            names[page.origin] = name
            inputs[name, default: []].insert(page.input)
        }
        var shared: [String: [InputSamples]] = [:]
        var result: [OriginSamples] = []
        for page in pages {
            if let name = names[page.origin], inputs[name]?.count ?? 0 > 1 {
                shared[name, default: []].append(page)
            } else if !page.areDeleted {
                result.append(OriginSamples(origin: page.origin, columns: page.columns))
            }
        }
        for (_, pages) in shared.sorted(by: { $0.key < $1.key }) { result += SourceMatching(pages).matched() }
        return result
    }
}
