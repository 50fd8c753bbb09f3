/// A text to copy. A script adds a button that copies it.
enum CopyField {
    static func markup(_ text: String, id: String, label: String? = nil) -> Markup {
        .tag(
            "p", [.class("copy"), .init("data-copy", id)],
            .text(label.map { "\($0): " } ?? ""), .tag("code", [.id(id)], .text(text)))
    }
}
