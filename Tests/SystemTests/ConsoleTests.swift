import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Testing

@Suite("Console")
struct ConsoleTests {
    @Test("Results and messages are written to separate streams, in order")
    func streams() throws {
        let pipes = TestPipes()
        let console = Console(output: pipes.output, error: pipes.error)
        console.write("result\n")
        console.writeError("message")
        #expect(console.finish() == nil)
        let (output, error) = try pipes.contents()
        #expect(output == "result\n")
        #expect(error == "message\n")
    }

    @Test("A message replaces the progress bar, which is drawn again below it")
    func barAndMessages() throws {
        let pipes = TestPipes()
        let console = Console(output: pipes.output, error: pipes.error)
        console.showBar("bar")
        console.writeError("message")
        #expect(console.finish() == nil)
        #expect(try pipes.contents().error == "\r\u{1B}[Kbar\r\u{1B}[Kmessage\n\r\u{1B}[Kbar\r\u{1B}[K")
    }

    @Test("Output to a full disk is a failure", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDevice() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let console = Console(output: descriptor, error: descriptor)
        console.write("result\n")
        let failure = try #require(console.finish())
        #expect(failure.code == .storage)
        #expect(failure.subject == "standard output")
        #expect(failure.reason.contains("No space left"))
    }

    @Test("A closed pipe stops the output and is not a failure")
    func brokenPipe() throws {
        InterruptSignals.ignoreBrokenPipes()
        let pipes = TestPipes()
        try pipes.closeReaders()
        let console = Console(output: pipes.output, error: pipes.error)
        console.write(String(repeating: "x", count: 100_000))
        #expect(console.finish() == nil)
    }

    @Test("A pipe is not a terminal and has 80 columns")
    func terminal() {
        let pipes = TestPipes()
        let console = Console(output: pipes.output, error: pipes.error)
        #expect(!console.isErrorTerminal)
        #expect(!console.isOutputTerminal)
        #expect(console.width == 80)
    }

    @Test("An event is one line, whatever it contains")
    func oneLine() throws {
        let pipes = TestPipes()
        let log = Self.log(pipes, .info)
        log.note("a\nb\r\u{1B}[2Jc\u{85}é\u{202E}", level: .info)
        let expected = "2024-01-15T12:00:00Z info run=00010203 a\\nb\\r\\u{1b}[2Jc\\u{85}é\\u{202e}\n"
        #expect(try pipes.contents().error == expected)
    }

    @Test(
        "The log contains events of its level and above, each with its time, its level and the run",
        arguments: LogLevel.allCases)
    func levels(level: LogLevel) throws {
        let pipes = TestPipes()
        let log = Self.log(pipes, level)
        for event in LogLevel.allCases { log.note("something", level: event) }
        let expected = ["debug", "info", "warning", "error"].drop { $0 != level.rawValue }
            .map { "2024-01-15T12:00:00Z \($0) run=00010203 something\n" }
        #expect(try pipes.contents().error == expected.joined())
    }

    @Test("Each run has an id of its own")
    func runs() throws {
        let pipes = TestPipes()
        let console = Console(output: pipes.output, error: pipes.error)
        for _ in 0..<2 {
            StandardErrorLog(console: console, level: .info, time: SystemClock(), random: SystemRandom())
                .note("x", level: .info)
        }
        let ids = try pipes.contents().error.matches(of: #/run=([0-9a-f]{8}) x\n/#).map { String($0.output.1) }
        #expect(ids.count == 2 && Set(ids).count == 2)
    }

    private static func log(_ pipes: TestPipes, _ level: LogLevel) -> StandardErrorLog {
        StandardErrorLog(
            console: Console(output: pipes.output, error: pipes.error), level: level,
            time: ManualTime(Instant(seconds: 1_705_320_000)), random: CountingRandom())
    }

    private struct CountingRandom: RandomSource {
        func fraction() -> Double { 0.5 }
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0) } }
    }
}
