/// The form that asks for an access token.
enum LoginForm {
    static func content(afterFailure: Bool) -> [Markup] {
        let notice: [Markup] =
            afterFailure
            ? [
                .tag(
                    "p", [.class("notice warn"), .init("role", "alert")],
                    "The token is invalid or does not have the scope read.")
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
                "A token with the scope read, as shown by healthsync token create."),
            Form.button("Log in", [.class("strong")]))
        return notice + [.tag("section", [.class("card")], form)]
    }
}
