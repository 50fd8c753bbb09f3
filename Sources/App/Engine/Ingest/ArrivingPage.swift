import HealthSyncDomain

/// The new samples of one page.
struct ArrivingPage {
    let key: SamplePageKey
    let definition: SampleTypeDefinition
    /// The fragments in the order of reading, at least one.
    let fragments: [PageFragment]

    /// The only fragment if it is encoded as the page would be.
    var whole: (bytes: [UInt8], content: PageFragment.Content)? {
        guard fragments.count == 1, let content = fragments[0].canonical else { return nil }
        return (fragments[0].bytes, content)
    }

    /// Decodes the samples, in the order of reading.
    func samples() throws -> SampleColumns {
        var columns = SampleColumns()
        for fragment in fragments {
            let decoded = try SamplePageCodec.decode(fragment.bytes)
            if columns.isEmpty { columns = decoded } else { columns.append(decoded) }
        }
        return columns
    }
}
