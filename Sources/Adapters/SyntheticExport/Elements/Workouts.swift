/// A workout for each exercise that the watch recorded.
struct Workouts: RecordSeries {
    let seed: UInt64
    /// The first second of the walk whose route is in the archive.
    let routeStart: Int64?
    let routePath: String
    let type = "Workout"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        for walk in plan.walks where walk.kind == .exercise && walk.hasWatch {
            let start = page.dates.text(walk.span.start)
            let end = page.dates.text(walk.span.end)
            let created = page.dates.text(walk.span.end + 12)
            let minutes = RecordValue.number(walk.span.seconds * 1000 / 60, decimals: 3).text
            let energy = RecordValue.number(walk.steps * 42, decimals: 3).text
            let distance = RecordValue.number(walk.millimetres, decimals: 6).text
            let device = plan.watch.description(for: type, seed: seed)
            page.write(
                """
                 <Workout workoutActivityType="\(activity(walk))" duration="\(minutes)" durationUnit="min" \
                sourceName="\(plan.watch.sourceName)" sourceVersion="\(plan.watch.software)" \
                device="\(device)" creationDate="\(created)" startDate="\(start)" endDate="\(end)">
                  <MetadataEntry key="HKIndoorWorkout" value="0"/>
                  <MetadataEntry key="HKTimeZone" value="\(plan.zoneName)"/>
                  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="\(start)" \
                endDate="\(end)" sum="\(energy)" unit="kcal"/>
                  <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="\(start)" \
                endDate="\(end)" sum="\(distance)" unit="km"/>
                \(walk.span.start == routeStart ? route(plan, start, end) : "") </Workout>

                """)
        }
    }

    private func activity(_ walk: Walk) -> String {
        walk.stride > 900 ? "HKWorkoutActivityTypeRunning" : "HKWorkoutActivityTypeWalking"
    }

    private func route(_ plan: DayPlan, _ start: String, _ end: String) -> String {
        """
          <WorkoutRoute sourceName="\(plan.watch.sourceName)" sourceVersion="\(plan.watch.software)" \
        creationDate="\(end)" startDate="\(start)" endDate="\(end)">
           <FileReference path="/\(routePath)"/>
          </WorkoutRoute>

        """
    }
}
