/// The form that asks for an access token.
enum LoginForm {
    static func content(afterFailure: Bool) -> [Markup] {
        let notice: [Markup] =
            afterFailure
            ? [
                .tag(
                    "p", [.class("notice warn"), .init("role", "alert")],
                    "This token is invalid or does not allow reading.")
            ] : []
        let form = Markup.tag(
            "form", [.init("method", "post"), .init("action", "/login")],
            .tag("label", [.init("for", "token")], "Access token"),
            .tag(
                "p", [],
                .tag(
                    "input",
                    [
                        .init("type", "password"), .id("token"), .init("name", "token"), .init("required"),
                        .init("autocomplete", "current-password"), .init("aria-describedby", "token-help"),
                    ])),
            .tag(
                "p", [.class("quiet"), .id("token-help")],
                "One that allows reading, as the command healthsync token create shows it."),
            Form.button("Log in", [.class("strong")]))
        return notice + [.tag("section", [.class("card")], form)]
    }
}
