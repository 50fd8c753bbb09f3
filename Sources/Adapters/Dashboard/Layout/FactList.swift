/// A list of names and figures.
enum FactList {
    static func markup(_ facts: [(name: String, value: Markup)]) -> Markup {
        .tag(
            "dl", [.class("facts")],
            facts.map { .tag("div", [], .tag("dt", [], .text($0.name)), .tag("dd", [], $0.value)) })
    }
}
