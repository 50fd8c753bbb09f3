import HealthSyncDomain

/// The completed runs, the latest first.
struct LastRunsSection {
    let runs: [RecordedRun]
    let context: PageContext

    private static let mostFailures = 3
    private static let longestText = 200

    var markup: Markup {
        let title = Markup.tag("h2", [], "Last runs")
        guard !runs.isEmpty else {
            return .tag("section", [.class("card"), .id("runs")], title, .tag("p", [], "Nothing yet."))
        }
        var table = DataTable(
            runs.count == 1 ? "The last run" : "The last \(runs.count) runs",
            [
                .text("Began"), .text("Command"), .text("Outcome"), .number("Read"), .number("Stored"),
                .number("Deleted"), .number("Changed"), .number("Delivered"), .number("Rejected"), .number("Waiting"),
            ])
        for run in runs { table.add(row(run)) }
        return .tag("section", [.class("card"), .id("runs")], title, table.markup)
    }

    private func row(_ run: RecordedRun) -> [Markup] {
        let account = run.end?.account ?? RunTotals()
        let took = run.milliseconds.map { milliseconds in
            Self.below(Figure.number(Double(milliseconds) / 1000, context.numbers.exact(milliseconds: milliseconds)))
        }
        let days = run.days.map { Self.below(Figure.days($0)) }
        return [
            context.moment(run.startedAt) + (took ?? .nothing), .text(run.command.rawValue) + (days ?? .nothing),
            outcome(run),
        ] + figures(account, of: run.end?.ending)
    }

    /// Returns the counts of a run; a dash where they are unknown because its process ended without recording them.
    private func figures(_ account: RunTotals, of ending: RunEnding?) -> [Markup] {
        let counts: [Int?] =
            ending == .cutOff
            ? [nil, nil, nil, nil]
            : [account.reading.records, account.reading.stored, account.reading.deleted, account.changedRecords]
        let delivery = account.delivery
        return (counts + [delivery?.delivered, delivery?.rejected, delivery?.left]).map { $0.map(figure) ?? "–" }
    }

    private func figure(_ count: Int) -> Markup {
        Figure.number(Double(count), context.numbers.whole(Double(count)))
    }

    private func outcome(_ run: RecordedRun) -> Markup {
        guard let end = run.end else { return "–" }
        let failures = end.allFailures
        let style =
            switch end.ending {
            case .completed: "good"
            case .held: "quiet"
            case .completedWithFailures, .failed, .cancelled, .cutOff: "warn"
            }
        var parts: [Markup] = [.tag("span", [.class(style)], .text(end.ending.text))]
        // The server may have rejected some of them, so they are not among the delivered records.
        if let samples = end.account.delivery?.samples, samples > 0 {
            parts.append(Self.below(figure(samples) + (samples == 1 ? " sample sent" : " samples sent")))
        }
        for failure in failures.prefix(Self.mostFailures) {
            let text = failure.subject.isEmpty ? failure.reason : "\(failure.subject): \(failure.reason)"
            parts.append(Self.below(.tag("span", [.class("reason")], .text(text.shortened(to: Self.longestText)))))
        }
        if failures.count > Self.mostFailures {
            parts.append(Self.below("and \(failures.count - Self.mostFailures) more"))
        }
        return .all(parts)
    }

    /// Returns `text` as the second line of a cell.
    private static func below(_ text: Markup) -> Markup { " " + .tag("span", [.class("below")], text) }
}
