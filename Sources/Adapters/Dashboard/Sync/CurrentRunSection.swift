import HealthSyncDomain

/// The current run and its progress.
struct CurrentRunSection {
    let history: RunHistory
    let context: PageContext

    /// A sentence that changes only when a run begins or ends, so that screen readers can announce it.
    var status: Markup {
        if let run = history.current { return "\(run.command.rawValue) is in progress." }
        guard let last = history.runs.first, let end = last.end else { return "No run is in progress." }
        return "No run is in progress; the last one, \(last.command.rawValue), \(Self.verb(end.ending))."
    }

    /// The progress, which changes continuously.
    var markup: Markup {
        guard let run = history.current else { return .nothing }
        let took = context.numbers.exact(milliseconds: max(0, context.now.milliseconds - run.startedAt.milliseconds))
        let days = run.days.map { ", " + Figure.days($0) } ?? .nothing
        return .tag(
            "section", [.class("card"), .id("at-work")],
            [
                .tag("h2", [], "Current run"),
                .tag(
                    "p", [],
                    .text(run.command.rawValue) + days + ", since " + context.moment(run.startedAt) + " (\(took))"),
            ] + phases)
    }

    private var phases: [Markup] {
        guard let phases = history.progress?.phases, !phases.isEmpty else { return [] }
        return phases.enumerated().map { index, phase in
            // A wait counts nothing; its name contains the reason.
            if phase.total == nil, phase.done == 0 {
                return .tag("p", [.class("notice warn")], .text(phase.text.shortened(to: Self.longestName)))
            }
            let id = "phase-\(index)"
            let share: [Markup.Attribute] =
                phase.share.map {
                    [.init("max", 100.0), .init("value", ($0 * 100).rounded(.down))]
                } ?? []
            return .tag(
                "div", [.class("phase")],
                .tag(
                    "label", [.init("for", id)], .text(phase.text.shortened(to: Self.longestName)), ": ", count(phase)),
                .tag("progress", [.id(id)] + share))
        }
    }

    private func count(_ phase: RunProgress.Phase) -> Markup {
        let done = Figure.number(Double(phase.done), context.numbers.whole(Double(phase.done)))
        guard let total = phase.total else { return done }
        return done + " of " + Figure.number(Double(total), context.numbers.whole(Double(total)))
    }

    private static func verb(_ ending: RunEnding) -> String {
        switch ending {
        case .completed: "completed"
        case .completedWithFailures: "completed with failures"
        case .held: "completed and is held by your pause"
        case .failed: "failed"
        case .cancelled: "was cancelled"
        case .cutOff: "was cut off"
        }
    }

    private static let longestName = 200
}
