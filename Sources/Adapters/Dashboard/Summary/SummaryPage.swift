import HealthSyncDomain
import HealthSyncPorts

/// The latest steps, heart rate and sleep, the latest day at a glance, and the week up to it.
struct SummaryPage: Page {
    static let address = "/"
    let name = "Summary"
    /// How records come here, told where there are none.
    let advice: String
    /// Where step samples are received; `nil` where none are.
    var receivedSteps: ReceivedStepsNote? = nil

    func content(_ context: PageContext) async throws -> [Markup] {
        let summary = try await context.repository.summary(through: try context.day(), today: context.today)
        let note = summary.steps == nil ? try await receivedSteps?.markup(of: nil, context) ?? [] : []
        guard let week = summary.week else {
            guard note.isEmpty else { return note }
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet. \(advice)"))]
        }
        let cards = SummaryCards(
            steps: summary.steps, heartRate: summary.heartRate, restingHeartRate: summary.restingHeartRate,
            sleep: summary.sleep, numbers: context.numbers)
        return [cards.markup] + note + [WeekSection(week: week, numbers: context.numbers).markup]
    }
}
