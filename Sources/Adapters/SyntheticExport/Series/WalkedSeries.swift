import HealthSyncDomain

/// Steps or walking distance, counted by watch and phone independently.
struct WalkedSeries: RecordSeries {
    enum Measure {
        case steps
        case distance
    }

    let measure: Measure
    let seed: UInt64

    var type: String {
        measure == .steps
            ? "HKQuantityTypeIdentifierStepCount" : "HKQuantityTypeIdentifierDistanceWalkingRunning"
    }

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        for walk in plan.walks { enterTruth(walk, of: plan.day, in: &page.truth) }
        writeWatch(plan, to: &page)
        writePhone(plan, to: &page)
        if measure == .steps { writeEntered(plan, to: &page) }
    }

    private var unit: String { measure == .steps ? "count" : "km" }

    private func total(_ walk: Walk) -> Double {
        measure == .steps ? Double(walk.steps) : Double(walk.millimetres)
    }

    private func value(_ amount: Int64) -> RecordValue { .number(amount, decimals: measure == .steps ? 0 : 6) }

    private func enterTruth(_ walk: Walk, of day: CalendarDay, in truth: inout TruthLedger) {
        truth.spread(over: walk.span, from: day) { figures, share in
            switch measure {
            case .steps: figures.steps += Double(walk.steps) * share
            case .distance: figures.kilometres += Double(walk.millimetres) / 1_000_000 * share
            }
        }
    }

    private func writeWatch(_ plan: DayPlan, to page: inout ExportPage) {
        let purpose: Purpose = measure == .steps ? .watchSteps : .watchDistance
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: purpose)
        let head = RecordHead(type, unit: unit, recorder: .watch, device: plan.watch, seed: seed)
        for walk in plan.walks where walk.hasWatch {
            let total = Int64((total(walk) * stream.uniform(0.995, 1.005)).rounded())
            for piece in WalkPieces.watch(walk, total: total, &stream) {
                let created = piece.span.end + stream.whole(5, 90)
                page.write(head, type: type, created: created, piece.span, value(piece.amount))
            }
        }
    }

    private func writePhone(_ plan: DayPlan, to page: inout ExportPage) {
        let purpose: Purpose = measure == .steps ? .phoneSteps : .phoneDistance
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: purpose)
        let head = RecordHead(type, unit: unit, recorder: .phone, device: plan.phone, seed: seed)
        for walk in plan.walks where walk.hasPhone {
            let total = Int64((total(walk) * stream.uniform(0.975, 1.02)).rounded())
            for piece in WalkPieces.phone(walk, total: total, &stream) {
                let created = piece.span.end + stream.whole(60, 900)
                page.write(head, type: type, created: created, piece.span, value(piece.amount))
            }
        }
    }

    /// Writes steps entered by the user: the part of a walk that the watch counted, or, without a duration, steps that
    /// no device counted.
    private func writeEntered(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .manualSteps)
        guard stream.chance(0.03),
            let walk = plan.walks.first(where: { $0.hasWatch && $0.kind == .stroll && $0.span.seconds > 400 })
        else { return }
        let middle = walk.span.start + walk.span.seconds / 2
        let half = stream.chance(0.3) ? 0 : walk.span.seconds / 2 - 60
        let hundreds = (walk.steps / 1000 + 1) * 100
        let shared = Int64((Double(walk.steps) * Double(2 * half) / Double(walk.span.seconds)).rounded())
        if half == 0 {
            page.truth.spread(over: Span(start: middle, end: middle + 1), from: plan.day) { figures, share in
                figures.steps += Double(hundreds) * share
            }
        }
        let head = RecordHead(
            type, unit: unit, recorder: .user, sourceName: "Health", version: plan.phone.software)
        page.write(
            head, type: type, created: plan.awake.end - 600, Span(start: middle - half, end: middle + half),
            .number(half == 0 ? hundreds : shared), children: Metadata.userEntered)
    }
}

/// The division of a walk into samples by a device.
private enum WalkPieces {
    struct Piece {
        var span: Span
        var amount: Int64
    }

    /// Divides a walk like the watch, which begins and ends with the walk and writes a sample every one to five
    /// minutes.
    static func watch(_ walk: Walk, total: Int64, _ stream: inout SeededStream) -> [Piece] {
        cut(walk.span, into: 60, 300, total: total, &stream)
    }

    /// Divides a walk like the phone, which detects a walk late, ends early, and writes a sample every five to ten
    /// minutes. Occasionally it continues for a minute or two after the walk.
    static func phone(_ walk: Walk, total: Int64, _ stream: inout SeededStream) -> [Piece] {
        let most = walk.span.seconds / 4
        let late = min(stream.whole(-2, 14), most)
        let early = min(stream.whole(-2, 14), most)
        let lingering = stream.chance(0.01) ? stream.whole(45, 120) : 0
        let span = Span(start: walk.span.start + late, end: walk.span.end - early + lingering)
        return cut(span, into: 300, 600, total: total, &stream)
    }

    private static func cut(
        _ span: Span, into shortest: Int64, _ longest: Int64, total: Int64, _ stream: inout SeededStream
    ) -> [Piece] {
        var pieces: [Piece] = []
        var start = span.start
        var given: Int64 = 0
        while start < span.end {
            var end = min(start + stream.whole(shortest, longest), span.end)
            if span.end - end < 20 { end = span.end }
            let due = total * (end - span.start) / span.seconds
            if due > given { pieces.append(Piece(span: Span(start: start, end: end), amount: due - given)) }
            given = due
            start = end
        }
        return pieces
    }
}

/// Flights of stairs, counted by watch and phone.
struct FlightsSeries: RecordSeries {
    let seed: UInt64
    let type = "HKQuantityTypeIdentifierFlightsClimbed"

    func write(_ plan: DayPlan, to page: inout ExportPage) {
        var stream = SeededStream(seed: seed, day: plan.day.ordinal, purpose: .flights)
        let watch = RecordHead(type, unit: "count", recorder: .watch, device: plan.watch, seed: seed)
        let phone = RecordHead(type, unit: "count", recorder: .phone, device: plan.phone, seed: seed)
        for walk in plan.walks where walk.kind == .stroll && stream.chance(0.6) {
            let count = stream.whole(1, 4)
            let span = Span(start: walk.span.start + walk.span.seconds / 2, end: walk.span.end)
            if walk.hasWatch { page.write(watch, type: type, created: span.end + 40, span, .number(count)) }
            if walk.hasPhone { page.write(phone, type: type, created: span.end + 300, span, .number(count)) }
        }
    }
}

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
