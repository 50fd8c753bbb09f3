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

/// The action of a form.
protocol PageAction: Sendable {
    /// The address that its forms are sent to.
    static var address: String { get }
    /// The same address, or one below it for an action of several kinds.
    var address: String { get }
    /// Returns the page that contains the submitted form; it is shown again if the form is invalid. `nil` for none.
    func place(of request: WebRequest) -> FormPlace?
    /// Performs the action. An error is shown on the page of the form, or on a page of its own.
    func perform(_ request: WebRequest) async throws -> ActionOutcome
}

extension PageAction {
    var address: String { Self.address }
    /// The segments of the path.
    var path: [String] { address.split(separator: "/").map(String.init) }
}

/// The page that contains a form.
struct FormPlace: Sendable {
    /// The address without a query.
    let address: String
    var query: [WebField] = []
}

/// The response after an action.
enum ActionOutcome: Sendable {
    /// A redirect to this address.
    case seeOther(String)
    /// A page without an address of its own, which is shown once.
    case page(name: String, [Markup])
}

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
