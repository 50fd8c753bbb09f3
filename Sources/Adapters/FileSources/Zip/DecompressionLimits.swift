/// The limits for decompressing an archive.
package struct DecompressionLimits: Sendable, Hashable {
    /// The maximum decompressed size of an entry in bytes.
    package var totalBytes: Int64
    /// The maximum number of bytes per compressed byte. Real exports reach 60.
    package var ratio: Int64
    /// The decompressed size below which the ratio is not checked.
    package var ratioFloor: Int64

    /// Creates limits; by default 64 GB in total and, from 16 MiB on, a ratio of 500.
    package init(totalBytes: Int64 = 64 << 30, ratio: Int64 = 500, ratioFloor: Int64 = 16 << 20) {
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.ratioFloor = ratioFloor
    }

    /// Returns the reason why `compressed` bytes may not expand to `decompressed` bytes; `nil` if they may.
    func violation(by decompressed: Int64, from compressed: Int64) -> String? {
        if decompressed > totalBytes { return "it decompresses to more than \(totalBytes) bytes" }
        let (allowed, overflow) = compressed.multipliedReportingOverflow(by: ratio)
        guard !overflow, decompressed > max(allowed, ratioFloor) else { return nil }
        return "it decompresses to more than \(ratio) times its size, as a ZIP bomb does"
    }
}
