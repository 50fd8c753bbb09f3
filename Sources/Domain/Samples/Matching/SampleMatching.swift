/// Recognizes the measurements that arrive through several inputs, so that each counts once.
///
/// Two samples of different inputs are the same measurement when type, source name, start and end truncated to the
/// second, and value agree (the value to the precision of the coarser text); the device does not matter. Of n samples
/// in one input and m in another that agree, the larger number counts. Sums that a feed made (pre-aggregated buckets)
/// are not matched.
///
/// The result depends on the samples alone, not on the order of the pages. Which samples are matched depends only on the
/// samples of the same second, so neither on which days are read together.
package enum SampleMatching {
    /// The samples of `pages`, all of one type, with each measurement once. An origin may occur several times.
    package static func matched(_ pages: [InputSamples]) -> [OriginSamples] {
        guard let first = pages.first, pages.contains(where: { $0.input != first.input }) else {
            return pages.map { OriginSamples(origin: $0.origin, columns: $0.columns) }
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
            } else {
                result.append(OriginSamples(origin: page.origin, columns: page.columns))
            }
        }
        for (_, pages) in shared.sorted(by: { $0.key < $1.key }) { result += SourceMatching(pages).matched() }
        return result
    }
}
