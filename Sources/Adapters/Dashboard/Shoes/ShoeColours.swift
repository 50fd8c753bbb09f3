import HealthSyncDomain
import HealthSyncPorts

/// The style sheet with the colors that the user gave to shoes.
struct ShoeColours {
    static let address = "/view/shoes/colours.css"
    let reader: any ShoeReader

    /// The segments of the path.
    static var path: [String] { address.split(separator: "/").map(String.init) }

    /// The element that loads the style sheet.
    static let link = Markup.tag("link", [.init("rel", "stylesheet"), .href(address)])

    /// Returns the class of the shoe at `index` of the collection; `nil` if it has no color of its own.
    static func style(_ shoe: Shoe, at index: Int) -> String? {
        colour(shoe) == nil ? nil : "own own-\(index)"
    }

    /// Returns the style sheet. A browser ignores names that are not colors; such shoes keep a color of the pages.
    func text() async throws -> String {
        try await reader.all().enumerated().compactMap { index, shoe in
            Self.colour(shoe).map { "@supports (color: \($0)) { .own-\(index) { --stage: \($0); } }\n" }
        }.joined()
    }

    /// Returns the color if it consists only of characters that cannot end a declaration.
    private static func colour(_ shoe: Shoe) -> String? {
        guard let colour = shoe.details.colour, let first = colour.utf8.first, colour.utf8.count <= 30 else {
            return nil
        }
        let rest = first == 0x23 ? colour.utf8.dropFirst() : colour.utf8[...]
        let isPlain = rest.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        return isPlain && !rest.isEmpty ? colour : nil
    }
}
