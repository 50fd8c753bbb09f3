import HealthSyncPorts

/// A QR code as a drawing: dark modules on white in both color schemes, because some readers do not invert.
enum QRCodeImage {
    /// The light modules around a code (ISO/IEC 18004 requires four).
    private static let quietZone = 4
    /// The largest side of a drawing in pixels, which fits on a phone. A module has a whole number of pixels, because
    /// readers of small drawings fail on uneven modules.
    private static let largestSide = 300

    static func markup(_ code: QRCode, name: String) -> Markup {
        let side = code.size + 2 * quietZone
        let pixels = Double(side * max(2, largestSide / side))
        var path = ""
        for row in 0..<code.size {
            var column = 0
            while column < code.size {
                let start = column
                while code.isDark(row: row, column: column) { column += 1 }
                if column > start {
                    path += "M\(start + quietZone) \(row + quietZone)h\(column - start)v1h-\(column - start)z"
                }
                column += 1
            }
        }
        return .tag(
            "svg",
            [
                .init("viewBox", "0 0 \(side) \(side)"), .init("width", pixels), .init("height", pixels),
                .init("role", "img"), .init("aria-label", name), .init("shape-rendering", "crispEdges"),
            ],
            .tag("rect", [.class("light"), .init("width", Double(side)), .init("height", Double(side))]),
            .tag("path", [.class("dark"), .init("d", path)]))
    }
}
