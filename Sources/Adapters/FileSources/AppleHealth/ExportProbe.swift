import HealthSyncDomain
import HealthSyncPorts

/// Tells by the first bytes of a file whether it is an Apple Health export.
enum ExportProbe {
    /// Bytes that are looked at: the element stands in the first KiB, unless somebody put a long comment before it.
    static let length = 256 << 10

    /// Whether the first markup of `head`, comments and instructions left aside, is `<!DOCTYPE HealthData` or
    /// `<HealthData`.
    static func isExport(_ head: [UInt8]) -> Bool {
        let padded = head + [UInt8](repeating: 0, count: ByteWindow.slack)
        return ByteWindow.over(padded, count: head.count, isExport) ?? false
    }

    /// Up to when the export that begins with `head` says everything; it tells before its first record.
    static func exportDate(_ head: [UInt8]) -> Instant? {
        let padded = head + [UInt8](repeating: 0, count: ByteWindow.slack)
        var scanner = ExportScanner(
            SampleSelection(types: []), known: SampleTypeTable([]), size: Int64(head.count), receive: { _ in })
        return ByteWindow.over(padded, count: head.count) { window in
            _ = try? scanner.scan(window, isLast: false)
            return scanner.account.sum.exportDate
        } ?? nil
    }

    private static func isExport(_ window: ByteWindow) -> Bool {
        var index = window.firstIndex(of: 0x3C, from: 0)
        while index < window.count {
            let markup: SkippedMarkup
            if begins(window, index, "<!--") {
                markup = .comment
            } else if begins(window, index, "<?") {
                markup = .instruction
            } else if begins(window, index, "<!DOCTYPE") {
                return begins(window, AttributeReader.skipSpace(window, index + 9), "HealthData")
            } else {
                return begins(window, index, "<HealthData")
                    && (AttributeReader.isSpace(window[index + 11]) || [0x3E, 0x2F].contains(window[index + 11]))
            }
            guard let end = markup.end(window, from: index + (markup == .comment ? 4 : 2)).end else { return false }
            index = window.firstIndex(of: 0x3C, from: end)
        }
        return false
    }

    private static func begins(_ window: ByteWindow, _ start: Int, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return window.matches(start, bytes, 0, bytes.count)
    }
}
