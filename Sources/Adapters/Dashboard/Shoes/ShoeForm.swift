import HealthSyncDomain
import HealthSyncPorts

/// The form with the details of a pair of shoes.
enum ShoeForm {
    static func markup(
        _ address: String, button: String, details: ShoeDetails?, context: PageContext, further: [Markup]
    ) -> Markup {
        func field(_ name: String, _ label: String, _ value: String?, _ attributes: [Markup.Attribute]) -> Markup {
            Form.field(
                name, label, context.typed(name) ?? value, attributes,
                problem: context.problem.flatMap { $0.subject == name ? $0 : nil })
        }
        let decimal = context.numbers.decimal
        let price = details?.price.map { price in
            CanonicalNumber.text(price.amount).replacing(".", with: decimal) + " \(price.currency)"
        }
        let fields: [Markup] = [
            field("brand", "Brand", details?.brand, [.init("required"), .init("maxlength", "200")]),
            field("model", "Model", details?.model, [.init("required"), .init("maxlength", "200")]),
            field("emoji", "Emoji", details?.emoji, [.init("size", "4")]),
            field("color", "Color, a name or #RRGGBB", details?.color, [.init("size", "12")]),
            field("purchased", "Bought on", details?.purchasedOn.map { "\($0)" }, [.init("type", "date")]),
            field("price", "Price, such as 139\(decimal)95 EUR", price, [.init("size", "14")]),
        ]
        return Form.post(
            address, viewer: context.request.viewer,
            [.tag("div", [.class("fields")], fields)] + further + [
                .tag("p", [], Form.button(button, [.class("strong")]))
            ])
    }

    /// Returns the details in a form.
    static func details(_ request: WebRequest) throws(SyncFailure) -> ShoeDetails {
        func text(_ name: String) -> String? {
            let text = request.fields(name).first ?? ""
            return text.allSatisfy(\.isWhitespace) ? nil : text
        }
        var details = ShoeDetails(
            brand: text("brand") ?? "", model: text("model") ?? "", emoji: text("emoji"), color: text("color"))
        if let day = text("purchased") {
            guard let day = CalendarDay(day) else {
                throw SyncFailure(.usage, subject: "purchased", reason: "not a valid date", advice: "choose a date")
            }
            details.purchasedOn = day
        }
        if let price = text("price") {
            let form = NumberForm(language: request.language)
            guard let price = ShoePrice(form.plain(price)) else {
                throw SyncFailure(
                    .usage, subject: "price", reason: "not a valid price",
                    advice: "write it as \(form.money(139.95, "EUR"))")
            }
            details.price = price
        }
        return details
    }
}
