import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The names of shoes and their colors in charts.
struct ShoeLabels {
    private let shoes: [Shoe.ID: (label: String, style: String)]

    /// The number of distinct colors, which are readable in the light and the dark scheme; further shoes reuse them.
    private static let colours = 6
    private static let longestName = 60

    init(_ all: [Shoe]) {
        shoes = Dictionary(
            all.enumerated().map { index, shoe -> (Shoe.ID, (label: String, style: String)) in
                let own = ShoeColours.style(shoe, at: index).map { " " + $0 } ?? ""
                return (shoe.id, (Self.label(shoe), "shoe-\(index % Self.colours)\(own)"))
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
