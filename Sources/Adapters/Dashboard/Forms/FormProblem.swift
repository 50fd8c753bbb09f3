/// The reason why a submitted form was rejected. Its page is shown again with the user's input.
struct FormProblem: Sendable {
    /// The problem and the remedy, for the viewer.
    let text: String
    /// The name of the invalid field, or another subject.
    let subject: String

    /// The notice at the top of the page.
    var notice: Markup {
        .tag("p", [.class("notice warn"), .id("problem"), .init("role", "alert")], .text(text))
    }
}
