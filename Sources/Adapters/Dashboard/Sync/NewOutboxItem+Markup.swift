import HealthSyncDomain

extension NewOutboxItem {
    /// The name of the record, whose dates and times are not broken into two lines.
    var markup: Markup {
        var rest = name[...]
        var markup = Markup.nothing
        while !rest.isEmpty {
            let word = rest.prefix { $0 != "/" && $0 != " " }
            rest = rest.dropFirst(word.count)
            let isTime = CalendarDay(word.prefix(10)) != nil
            markup = markup + (isTime ? .tag("span", [.class("whole")], .text(String(word))) : .text(String(word)))
            if let separator = rest.popFirst() { markup = markup + .text(String(separator)) }
        }
        return markup
    }
}
