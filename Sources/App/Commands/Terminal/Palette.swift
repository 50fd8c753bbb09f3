/// The colors of text and charts: those of the pages (`Web/base.css`), each as the nearest color of a terminal.
package enum Palette: String, CaseIterable, Sendable {
    case good
    case warn
    case quiet
    case bar
    case range
    case deep
    case core
    case rem
    case asleep
    case awake
    case inBed = "in-bed"

    /// The colors on a light and on a dark background, as 0xRRGGBB.
    private var colors: (light: Int, dark: Int) {
        switch self {
        case .good: (0x1d6b3a, 0x7fd6a0)
        case .warn: (0x9a3b0a, 0xffab7a)
        case .quiet: (0x545d6e, 0xa6afbf)
        case .bar: (0x3b6fd4, 0x6f9cf5)
        case .range: (0xc2405a, 0xf08098)
        case .deep: (0x171c4e, 0x5561cd)
        case .core: (0x1b3b79, 0x5a86db)
        case .rem: (0x9352be, 0xd2b7e4)
        case .asleep: (0x1f5e63, 0x3bb3bd)
        case .awake: (0xe0682b, 0xf8ddd0)
        case .inBed: (0x636b79, 0x9aa1ac)
        }
    }

    /// Returns the nearest of the 240 fixed colors of a terminal with 256: a cube with six levels of red, green and blue,
    /// and 24 grays.
    package func terminalColor(onLight: Bool) -> UInt8 { (onLight ? Self.onLight : Self.onDark)[self] ?? 0 }

    private static let onLight = nearest(\.light)
    private static let onDark = nearest(\.dark)

    private static func nearest(_ background: KeyPath<(light: Int, dark: Int), Int>) -> [Palette: UInt8] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0, nearest(to: $0.colors[keyPath: background])) })
    }

    private static func nearest(to color: Int) -> UInt8 {
        let wanted = [color >> 16, color >> 8 & 255, color & 255]
        func distance(_ number: Int) -> Int {
            zip(channels(of: number), wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        return UInt8((16...255).reduce(16) { distance($1) < distance($0) ? $1 : $0 })
    }

    private static func channels(of number: Int) -> [Int] {
        guard number < 232 else { return [Int](repeating: 8 + 10 * (number - 232), count: 3) }
        let levels = [0, 95, 135, 175, 215, 255]
        let cell = number - 16
        return [levels[cell / 36], levels[cell / 6 % 6], levels[cell % 6]]
    }
}
