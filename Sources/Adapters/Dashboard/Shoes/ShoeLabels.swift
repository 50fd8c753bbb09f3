import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The names of shoes and their colors in charts.
struct ShoeLabels {
    private let shoes: [Shoe.ID: (label: String, style: String)]

    /// The number of distinct colors, which are readable in the light and the dark scheme; further shoes reuse them.
    private static let colors = 6
    private static let longestName = 60

    init(_ all: [Shoe]) {
        shoes = Dictionary(
            all.enumerated().map { index, shoe -> (Shoe.ID, (label: String, style: String)) in
                let own = ShoeColors.style(shoe, at: index).map { " " + $0 } ?? ""
                return (shoe.id, (Self.label(shoe), "shoe-\(index % Self.colors)\(own)"))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns `👟 Salomon Speedcross 6`.
    func label(_ id: Shoe.ID) -> String { shoes[id]?.label ?? "deleted shoes" }

    /// Returns the classes that set the color: one of the pages, and the user's own.
    func style(_ id: Shoe.ID) -> String { shoes[id]?.style ?? "no-shoe" }

    /// Returns the legend of the colors.
    func legend(_ ids: [Shoe.ID]) -> Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            ids.map { .tag("li", [.class(style($0))], .text(label($0))) }
                + [.tag("li", [.class("no-shoe")], "no shoes")])
    }

    /// Returns the name, truncated if it is very long.
    static func label(_ shoe: Shoe) -> String {
        shoe.label.shortened(to: longestName)
    }

    /// Returns the text of an id in addresses and forms.
    static func id(_ id: Shoe.ID) -> String { UUIDText.text(id) }

    /// Returns the shoe in a form.
    static func id(in request: WebRequest) throws(SyncFailure) -> Shoe.ID {
        guard let id = request.fields("shoe").first.flatMap({ UUID(uuidString: $0) }) else {
            throw SyncFailure(.usage, subject: "shoe", reason: "no shoes are selected", advice: "select shoes")
        }
        return id
    }
}

/// The style sheet with the colors that the user gave to shoes.
struct ShoeColors {
    static let address = "/view/shoes/colors.css"
    let reader: any ShoeReader

    /// The segments of the path.
    static var path: [String] { address.split(separator: "/").map(String.init) }

    /// The element that loads the style sheet.
    static let link = Markup.tag("link", [.init("rel", "stylesheet"), .href(address)])

    /// Returns the class of the shoe at `index` of the collection; `nil` if it has no color of its own.
    static func style(_ shoe: Shoe, at index: Int) -> String? {
        color(shoe) == nil ? nil : "own own-\(index)"
    }

    /// Returns the style sheet. A browser ignores names that are not colors; such shoes keep a color of the pages.
    func text() async throws -> String {
        try await reader.all().enumerated().compactMap { index, shoe in
            Self.color(shoe).map { "@supports (color: \($0)) { .own-\(index) { --stage: \($0); } }\n" }
        }.joined()
    }

    /// Returns the color if it consists only of characters that cannot end a declaration.
    private static func color(_ shoe: Shoe) -> String? {
        guard let color = shoe.details.color, let first = color.utf8.first, color.utf8.count <= 30 else {
            return nil
        }
        let rest = first == 0x23 ? color.utf8.dropFirst() : color.utf8[...]
        let isPlain = rest.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        return isPlain && !rest.isEmpty ? color : nil
    }
}

/// Steps and distance as cells of a table.
enum WalkCells {
    static func cells(_ figures: WalkFigures, _ numbers: NumberForm) -> [Markup] {
        [steps(figures, numbers) ?? "–", distance(figures, numbers) ?? "–"]
    }

    static func steps(_ figures: WalkFigures, _ numbers: NumberForm) -> Markup? {
        figures.steps.map { Figure.number($0, numbers.whole($0)) }
    }

    static func distance(_ figures: WalkFigures, _ numbers: NumberForm) -> Markup? {
        figures.kilometres.map { Figure.number($0.asFigure, numbers.rounded($0, places: 2) + " km") }
    }
}
