import HealthSyncDomain

/// Plans the walks of a day: errands, strolls and, on some days, exercise.
struct WalkPlanner: Sendable {
    let seed: UInt64

    private struct Outline {
        var seconds: Int64
        var steps: Int64
        var kind: Walk.Kind
    }

    /// Returns walks within `free` that avoid `nap`, in order and more than a minute apart.
    func walks(on day: CalendarDay, within free: Span, late: Span?, nap: Span?, wear: WatchWear) -> [Walk] {
        var stream = SeededStream(seed: seed, day: day.ordinal, purpose: .walks)
        let lateSteps = late.map { $0.seconds * 105 / 60 } ?? 0
        let pause = nap.map { Span(start: $0.start - 600, end: $0.end + 600) }
        let room = free.seconds - (pause?.seconds ?? 0)
        let wanted = min(steps(on: day, &stream), room * 17 / 20 * 80 / 60) - lateSteps
        var outlines = self.outlines(steps: wanted, &stream)
        shuffle(&outlines, &stream)
        var walks = placed(outlines, within: free, room: room, pause: pause, &stream)
        if let late { walks.append(Walk(late, steps: lateSteps, kind: .stroll)) }
        var details = SeededStream(seed: seed, day: day.ordinal, purpose: .walkDetails)
        for index in walks.indices { addDevices(to: &walks[index], wear, &details) }
        return walks
    }

    /// Returns the true steps of a day, 6,000 to 14,000: more on workdays and in summer.
    private func steps(on day: CalendarDay, _ stream: inout SeededStream) -> Int64 {
        let (_, month, _) = day.components
        let season = Double(200 * (3 - abs(month - 7)))
        let week = day.isoWeekday == 7 ? -1400.0 : day.isoWeekday == 6 ? 900.0 : 0
        return min(max(Int64(9400 + season + week + stream.bell() * 2100), 6000), 14_000)
    }

    private func outlines(steps: Int64, _ stream: inout SeededStream) -> [Outline] {
        var outlines: [Outline] = []
        var left = steps
        if steps > 8000, stream.chance(0.55) {
            let minutes = min(stream.whole(22, 50), steps / 2 / 130)
            let outline = Outline(seconds: minutes * 60, steps: minutes * stream.whole(124, 158), kind: .exercise)
            outlines.append(outline)
            left -= outline.steps
        }
        var errands = steps * 12 / 100
        while errands > 15 {
            let count = min(stream.whole(15, 70), errands)
            outlines.append(Outline(seconds: count * 60 / stream.whole(70, 95) + 2, steps: count, kind: .errand))
            errands -= count
            left -= count
        }
        while left > 0 {
            let pace = stream.whole(94, 119)
            let minutes = stream.whole(4, 21)
            let count = min(minutes * pace, left)
            outlines.append(Outline(seconds: max(20, count * 60 / pace), steps: count, kind: .stroll))
            left -= count
        }
        return outlines
    }

    private func shuffle(_ outlines: inout [Outline], _ stream: inout SeededStream) {
        for index in outlines.indices.dropFirst() {
            outlines.swapAt(index, Int(stream.whole(0, Int64(index))))
        }
    }

    private func placed(
        _ outlines: [Outline], within free: Span, room: Int64, pause: Span?, _ stream: inout SeededStream
    ) -> [Walk] {
        let rest = max(0, room - outlines.reduce(0) { $0 + $1.seconds })
        let weights = outlines.map { _ in stream.uniform(0.2, 1) }
        let all = weights.reduce(0.3, +)
        var time = free.start
        var shift: Int64 = 0
        return zip(outlines, weights).map { outline, weight in
            time += Int64(Double(rest) * weight / all)
            if shift == 0, let pause, time + outline.seconds > pause.start { shift = pause.seconds }
            let start = time + shift
            time += outline.seconds
            return Walk(Span(start: start, end: start + outline.seconds), steps: outline.steps, kind: outline.kind)
        }
    }

    private func addDevices(to walk: inout Walk, _ wear: WatchWear, _ stream: inout SeededStream) {
        let isCarried = stream.unit()
        walk.stride = walk.kind == .exercise ? stream.whole(780, 1020) : stream.whole(640, 790)
        walk.hasWatch = wear.isWorn(during: walk.span)
        let probability =
            switch (walk.kind, walk.hasWatch) {
            case (.errand, false): 0.87
            case (_, false): 0.998
            case (.errand, true): 0.2
            case (.stroll, true): 0.68
            case (.exercise, true): 0.5
            }
        walk.hasPhone = isCarried < probability
    }
}

extension Walk {
    fileprivate init(_ span: Span, steps: Int64, kind: Kind) {
        self.init(span: span, steps: steps, kind: kind, hasWatch: false, hasPhone: false, stride: 700)
    }
}
