/// A piece of HTML or SVG. Data can only be text or the value of an attribute, and is always escaped. The names of elements
/// and attributes can only be literals. Raw strings cannot be inserted.
struct Markup: Sendable, ExpressibleByStringInterpolation {
    /// The markup as it is sent.
    private(set) var source: String

    private init(source: String) { self.source = source }

    /// Creates escaped text.
    init(stringLiteral value: String) { source = Self.escaped(value) }

    /// Returns escaped text.
    static func text(_ text: String) -> Markup { Markup(source: escaped(text)) }

    /// Empty markup.
    static let nothing = Markup(source: "")

    /// Elements without content.
    private static let void: Set<String> = ["br", "hr", "img", "input", "link", "meta"]

    /// Returns the element `name` with `attributes` and `children`.
    static func tag(_ name: StaticString, _ attributes: [Attribute] = [], _ children: Markup...) -> Markup {
        tag(name, attributes, children)
    }

    /// Returns the element `name` with `attributes` and a list of children.
    static func tag(_ name: StaticString, _ attributes: [Attribute] = [], _ children: [Markup]) -> Markup {
        let name = name.description
        var source = "<\(name)"
        for attribute in attributes { source += attribute.source }
        source += ">"
        if void.contains(name) { return Markup(source: source) }
        for child in children { source += child.source }
        source += "</\(name)>"
        return Markup(source: source)
    }

    /// Returns the parts in order.
    static func all(_ parts: [Markup]) -> Markup { Markup(source: parts.map(\.source).joined()) }

    /// Returns the parts in order.
    static func + (left: Markup, right: Markup) -> Markup { Markup(source: left.source + right.source) }

    /// A document: the doctype and the root element.
    var document: String { "<!DOCTYPE html>\n" + source + "\n" }

    /// Escaped text: `&`, `<`, `>` and both quotes are references. Characters that HTML forbids, and those that change the
    /// writing direction of the text around them, are replaced.
    fileprivate static func escaped(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.contains(where: { isSpecial($0) }) || text.unicodeScalars.contains(where: turnsDirection) else {
            return text
        }
        var result = ""
        result.reserveCapacity(bytes.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}": result += "\u{FFFD}"
            case _ where turnsDirection(scalar): result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0x26 || byte == 0x3C || byte == 0x3E || byte == 0x22 || byte == 0x27
    }

    /// An attribute of an element.
    struct Attribute: Sendable {
        fileprivate let source: String

        /// Creates the attribute `name` with that value.
        init(_ name: StaticString, _ value: String) { source = " \(name.description)=\"\(Markup.escaped(value))\"" }

        /// Creates the attribute `name` with that number, to two decimals.
        init(_ name: StaticString, _ value: Double) { self.init(name, Coordinate.text(value)) }

        /// Creates the attribute `name` without a value.
        init(_ name: StaticString) { source = " \(name.description)" }

        /// No attribute.
        static let none = Attribute(empty: ())

        private init(empty: Void) { source = "" }

        /// Returns the attribute `class`.
        static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
        /// Returns the attribute `href`.
        static func href(_ path: String) -> Attribute { Attribute("href", path) }
        /// Returns the attribute `id`.
        static func id(_ id: String) -> Attribute { Attribute("id", id) }
    }
}

/// Numbers in drawings.
enum Coordinate {
    /// Returns the number with at most two decimals; 0 if it is not finite.
    static func text(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e9 else { return "0" }
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension String {
    /// The text with a capital first letter. Messages of the command line begin in lower case, sentences on pages do not.
    var inSentenceCase: String { prefix(1).uppercased() + dropFirst() }
}
