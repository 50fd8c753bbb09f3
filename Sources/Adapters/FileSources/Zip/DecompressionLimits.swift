/// How far an archive may grow while it is decompressed.
package struct DecompressionLimits: Sendable, Hashable {
    /// Most bytes that one entry may become.
    package var totalBytes: Int64
    /// Most bytes that one compressed byte may become. Honest exports reach 60.
    package var ratio: Int64
    /// Bytes below which the ratio is not looked at.
    package var ratioFloor: Int64

    /// Limits of 64 GB in all and 500 bytes for one, from 16 MiB on, unless stated otherwise.
    package init(totalBytes: Int64 = 64 << 30, ratio: Int64 = 500, ratioFloor: Int64 = 16 << 20) {
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.ratioFloor = ratioFloor
    }

    /// Why `compressed` bytes may not become `decompressed` bytes; `nil` when they may.
    func objection(to decompressed: Int64, from compressed: Int64) -> String? {
        if decompressed > totalBytes { return "it decompresses to more than \(totalBytes) bytes" }
        let (allowed, overflow) = compressed.multipliedReportingOverflow(by: ratio)
        guard !overflow, decompressed > max(allowed, ratioFloor) else { return nil }
        return "it decompresses to more than \(ratio) times its size, as a ZIP bomb does"
    }
}
