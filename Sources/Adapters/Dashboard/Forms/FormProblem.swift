/// Why what a form asked for was not done. The page with the form is shown again, with what was typed.
struct FormProblem: Sendable {
    /// For the viewer, with what to do.
    let text: String
    /// Name of the field at fault, or what else it is about.
    let subject: String

    /// What stands before the page.
    var notice: Markup {
        .tag("p", [.class("notice warn"), .id("problem"), .init("role", "alert")], .text(text))
    }
}
