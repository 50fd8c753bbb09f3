import HealthSyncDomain

/// Where the recorded data end: a notice if they are old, otherwise a quiet line.
struct FreshnessLine {
    let freshness: DataFreshness

    var markup: Markup {
        let statement = Markup.tag("strong", [], .text(freshness.statement))
        guard freshness.isOld else {
            return .tag("p", [.class("quiet"), .id("freshness")], .text(freshness.statement))
        }
        return .tag(
            "p", [.class("notice warn"), .id("freshness"), .init("role", "note")],
            statement + ". \(DataFreshness.remedy).")
    }
}
