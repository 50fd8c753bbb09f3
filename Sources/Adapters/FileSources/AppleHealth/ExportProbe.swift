import HealthSyncDomain
import HealthSyncPorts

/// Recognizes Apple Health exports by the first bytes of a file.
enum ExportProbe {
    /// The number of bytes examined. The element is in the first KiB unless a long comment precedes it.
    static let length = 256 << 10

    /// Returns whether the first markup of `head`, other than comments and instructions, is `<!DOCTYPE HealthData` or
    /// `<HealthData`.
    static func isExport(_ head: [UInt8]) -> Bool {
        let padded = head + [UInt8](repeating: 0, count: ByteWindow.slack)
        return ByteWindow.over(padded, count: head.count, isExport) ?? false
    }

    /// Returns the export date, which precedes the first record in the file.
    static func exportDate(_ head: [UInt8]) -> Instant? {
        let padded = head + [UInt8](repeating: 0, count: ByteWindow.slack)
        var scanner = ExportScanner(
            SampleSelection(types: []), known: SampleTypeTable([]), size: Int64(head.count), receive: { _ in })
        return ByteWindow.over(padded, count: head.count) { window in
            _ = try? scanner.scan(window, isLast: false)
            return scanner.account.exportDate
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
