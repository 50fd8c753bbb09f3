import HealthSyncPorts

/// Forms and their fields.
enum Form {
    /// Returns a form that changes something. It contains the form token, which proves that it comes from these pages.
    static func post(
        _ address: String, viewer: WebViewer, _ content: [Markup], attributes: [Markup.Attribute] = []
    ) -> Markup {
        .tag(
            "form", [.init("method", "post"), .init("action", address)] + attributes,
            [hidden(WebRequest.formTokenField, viewer.formToken)] + content)
    }

    /// Returns a hidden field.
    static func hidden(_ name: String, _ value: String) -> Markup {
        .tag("input", [.init("type", "hidden"), .init("name", name), .init("value", value)])
    }

    /// Returns a checkbox with its label.
    static func checkbox(
        _ name: String, value: String, label: Markup, isChecked: Bool, id: String? = nil,
        attributes: [Markup.Attribute] = []
    ) -> Markup {
        .tag(
            "label", [.class("tick"), id.map { .init("for", $0) } ?? .none],
            .tag(
                "input",
                [
                    .init("type", "checkbox"), .init("name", name), .init("value", value),
                    isChecked ? .init("checked") : .none, id.map { .id($0) } ?? .none,
                ] + attributes), .tag("span", [], label))
    }

    /// Returns a field with its label, and the reason why its value was rejected.
    static func field(
        _ name: String, _ label: String, _ value: String?, _ attributes: [Markup.Attribute], problem: FormProblem?
    ) -> Markup {
        var input: [Markup.Attribute] = [.id(name), .init("name", name), .init("value", value ?? "")] + attributes
        var note = Markup.nothing
        if let problem {
            input += [.init("aria-invalid", "true"), .init("aria-describedby", "\(name)-problem"), .init("autofocus")]
            note = .tag("p", [.class("warn"), .id("\(name)-problem")], .text(problem.text))
        }
        return .tag("div", [], .tag("label", [.init("for", name)], .text(label)), .tag("input", input), note)
    }

    /// Returns a submit button.
    static func button(_ text: String, _ attributes: [Markup.Attribute] = []) -> Markup {
        .tag("button", [.init("type", "submit")] + attributes, .text(text))
    }
}
