import HealthSyncDomain

/// The stages of a night, one character per slice: the lighter the sleep, the taller.
struct StageBar: Sendable {
    private let longest: Int64
    private let room: Int
    private let style: OutputStyle

    /// Bars on one scale, in which a night of `longest` milliseconds is `room` columns wide.
    init(longest: Int64, room: Int, style: OutputStyle) {
        self.longest = max(1, longest)
        self.room = room
        self.style = style
    }

    /// Returns the bar of `session`, or a note if only sums are known.
    func bar(_ session: SleepEpisode) -> String {
        guard let hypnogram = Hypnogram(of: session) else { return "no stages, only sums" }
        let share = Double(session.interval.milliseconds) / Double(longest)
        var bar = ""
        var run: (stage: SleepStage, text: String)?
        for stage in hypnogram.slices(max(1, Int((share * Double(room)).rounded()))) {
            if let current = run, current.stage != stage {
                bar += style.colored(current.text, Self.color(current.stage))
                run = nil
            }
            guard let stage else {
                bar += " "
                continue
            }
            run = (stage, (run?.text ?? "") + mark(stage))
        }
        return bar + (run.map { style.colored($0.text, Self.color($0.stage)) } ?? "")
    }

    /// Returns the meaning of each character in the bars of `sessions`, with the width of each entry in columns.
    func legend(of sessions: [SleepEpisode]) -> [(text: String, columns: Int)] {
        let present = Set(sessions.compactMap(Hypnogram.init).flatMap { $0.segments.map(\.stage) })
        return SleepStage.fromLightest.filter(present.contains).map { stage in
            (style.colored(mark(stage), Self.color(stage)) + " " + stage.name, 2 + stage.name.count)
        }
    }

    private func mark(_ stage: SleepStage) -> String {
        switch stage {
        case .inBed: style.hasBlocks ? "·" : "."
        case .awake: style.hasBlocks ? "█" : "W"
        case .rem: style.hasBlocks ? "▆" : "R"
        case .core: style.hasBlocks ? "▄" : "C"
        case .deep: style.hasBlocks ? "▂" : "D"
        case .asleep: style.hasBlocks ? "▒" : "S"
        }
    }

    private static func color(_ stage: SleepStage) -> Palette {
        switch stage {
        case .inBed: .inBed
        case .awake: .awake
        case .rem: .rem
        case .core: .core
        case .deep: .deep
        case .asleep: .asleep
        }
    }
}
