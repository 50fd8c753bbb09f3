import HealthSyncDomain

/// The activity summary of each day. Written after the records, because it is computed from their truth.
struct ActivitySummaries: RecordSeries {
    let type = "ActivitySummary"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        let figures = page.truth.figures(of: plan.day)
        let energy = RecordValue.number(Int64(((figures.activeEnergy ?? 0) * 1000).rounded()), decimals: 3).text
        let exercise = Int64((figures.exerciseMinutes ?? 0).rounded())
        page.write(
            " <ActivitySummary dateComponents=\"\(plan.day)\" activeEnergyBurned=\"\(energy)\" "
                + "activeEnergyBurnedGoal=\"520\" activeEnergyBurnedUnit=\"kcal\" appleMoveTime=\"0\" "
                + "appleMoveTimeGoal=\"0\" appleExerciseTime=\"\(exercise)\" appleExerciseTimeGoal=\"30\" "
                + "appleStandHours=\"\(figures.standHours)\" appleStandHoursGoal=\"12\"/>\n")
    }
}
