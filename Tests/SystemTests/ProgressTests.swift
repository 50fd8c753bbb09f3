import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Synchronization
import Testing

@Suite("Progress")
struct ProgressTests {
    @Test("A bar shows percentage, rate and remaining time")
    func bar() {
        let line = ProgressLine(phase: "reading", done: 600, total: 1_200, elapsedMilliseconds: 3_000)
        #expect(line.bar(width: 60) == "reading [#############--------------]  50 %  200/s  3 s left")
        #expect(line.bar(width: 60).count <= 60)
        #expect(line.plain == "reading: 50 %, 200/s, 3 s left")
    }

    @Test("No width is exceeded, however small", arguments: 0..<120)
    func width(_ width: Int) {
        let line = ProgressLine(phase: "reading export.zip", done: 7, total: 900, elapsedMilliseconds: 60_000)
        #expect(line.bar(width: width).count <= width)
    }

    @Test("A long path leaves room for the bar and the figures", arguments: 60..<120)
    func path(_ width: Int) {
        let phase = "reading /home/anna/Documents/Health/exports of the phone/2024-12-31/export.zip"
        let line = ProgressLine(phase: phase, done: 600, total: 1_200, elapsedMilliseconds: 3_000).bar(width: width)
        #expect(line.count <= width)
        #expect(line.hasPrefix("readi") && line.contains("export.zip [##"), "\(line)")
        #expect(line.hasSuffix("-]  50 %  200/s  3 s left"))
    }

    @Test("Without a total there is a count and a rate")
    func unknownTotal() {
        let line = ProgressLine(phase: "reading", done: 1_500_000, total: nil, elapsedMilliseconds: 1_000)
        #expect(line.plain == "reading: 1.5M, 1.5M/s")
        let slow = ProgressLine(phase: "deriving", done: 1, total: 3, elapsedMilliseconds: 2_500)
        #expect(slow.plain == "deriving: 33 %, 5 s left")
    }

    @Test(
        "The time that is left is stated after two seconds",
        arguments: [(1_999, "10 %, 50/s"), (2_000, "10 %, 50/s, 18 s left")])
    func earliestEstimate(milliseconds: Int64, expected: String) {
        let line = ProgressLine(phase: "delivering", done: 100, total: 1_000, elapsedMilliseconds: milliseconds)
        #expect(line.plain == "delivering: " + expected)
    }

    @Test("A slow beginning is forgotten after twenty seconds")
    func slowBeginning() throws {
        let pipes = TestPipes()
        let clock = SteppedClock()
        let bar = ProgressBar(console: Console(output: pipes.output, error: pipes.error), clock: clock, style: .lines)
        for second in 0...30 {
            bar.report(phase: "delivering", done: Int64(second < 10 ? second : 10 + (second - 10) * 100), total: 5_010)
            clock.advance(milliseconds: 1_000)
        }
        let lines = try pipes.contents().error.split(separator: "\n").map(String.init)
        #expect(lines.first == "delivering: 0 %, 1/s, 1 h 23 min left")
        #expect(lines.last == "delivering: 40 %, 100/s, 30 s left")
    }

    @Test(
        "Numbers are short",
        arguments: [
            (0.0, "0"), (999, "999"), (999.6, "1.0k"), (1_234, "1.2k"), (99_940, "99.9k"), (99_960, "100k"),
            (1_250_000, "1.3M"), (2.5e9, "2.5G"), (7e12, "7T"),
        ])
    func short(number: Double, expected: String) { #expect(ProgressLine.short(number) == expected) }

    @Test(
        "Lengths of time are in words",
        arguments: [(0, "0 s"), (1, "1 s"), (59_000, "59 s"), (61_000, "1 min 1 s"), (7_800_000, "2 h 10 min")])
    func duration(milliseconds: Int64, expected: String) {
        #expect(ProgressLine.duration(milliseconds: milliseconds) == expected)
    }

    @Test("Without a terminal there is a line every five seconds and one at the end")
    func lines() throws {
        let pipes = TestPipes()
        let clock = SteppedClock()
        let bar = ProgressBar(
            console: Console(output: pipes.output, error: pipes.error), clock: clock, style: .lines)
        for second in 0...12 {
            bar.report(phase: "reading", done: Int64(second * 10), total: 120)
            clock.advance(milliseconds: 1_000)
        }
        bar.report(phase: "short", done: 1, total: 1)
        let expected = "reading: 41 %, 10/s, 7 s left\nreading: 83 %, 10/s, 2 s left\nreading: 100 %, 10/s\n"
        #expect(try pipes.contents().error == expected)
    }

    @Test("A bar is drawn at most ten times per second and removed at the end")
    func drawing() throws {
        let pipes = TestPipes()
        let clock = SteppedClock()
        let bar = ProgressBar(console: Console(output: pipes.output, error: pipes.error), clock: clock, style: .bar)
        for done in 0...1_000 {
            bar.report(phase: "reading", done: Int64(done), total: 1_000)
            clock.advance(milliseconds: 1)
        }
        let drawn = try pipes.contents().error.split(separator: "\r")
        #expect((10...12).contains(drawn.count))
        #expect(drawn.last == "\u{1B}[K")
    }

    @Test("Of concurrent phases the first is shown as long as it is active")
    func sideBySide() throws {
        let pipes = TestPipes()
        let clock = SteppedClock()
        let bar = ProgressBar(console: Console(output: pipes.output, error: pipes.error), clock: clock, style: .bar)
        for done in 1...10 {
            bar.report(phase: "steps", done: Int64(done), total: 100)
            bar.report(phase: "sleep", done: Int64(done), total: 10)
            clock.advance(milliseconds: 100)
        }
        clock.advance(milliseconds: 1_000)
        bar.report(phase: "heart", done: 1, total: 100)
        let drawn = try pipes.contents().error.split(separator: "\r").map { $0.dropFirst(3).prefix(5) }
        #expect(drawn == Array(repeating: "steps", count: 10) + ["heart"])
    }

    @Test("A phase that counts nothing is shown by its name alone")
    func wait() {
        let text = "waiting for example.org: cannot connect, try 4, again in 12 s"
        let line = ProgressLine(phase: text, done: 0, total: nil, elapsedMilliseconds: 5_000)
        #expect(line.plain == text && line.bar(width: 100) == text)
        #expect(line.bar(width: 20) == "waiting for example.")
    }

    @Test("A silent bar prints nothing")
    func silent() throws {
        let pipes = TestPipes()
        let bar = ProgressBar(
            console: Console(output: pipes.output, error: pipes.error), clock: SteppedClock(), style: .silent)
        bar.report(phase: "reading", done: 1, total: 1)
        #expect(try pipes.contents().error.isEmpty)
    }
}

final class SteppedClock: TimeSource {
    private let milliseconds = Atomic<Int64>(1_700_000_000_000)

    func now() -> Instant { Instant(milliseconds: milliseconds.load(ordering: .relaxed)) }
    func wait(milliseconds: Int64) async throws { advance(milliseconds: milliseconds) }
    func systemZoneName() -> String { "UTC" }
    func advance(milliseconds delta: Int64) { milliseconds.add(delta, ordering: .relaxed) }
}
