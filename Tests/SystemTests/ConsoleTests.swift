import Foundation
import HealthSyncDomain
import HealthSyncSystem
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
        let log = StandardErrorLog(console: Console(output: pipes.output, error: pipes.error), level: .normal)
        log.note("a\nb\r\u{1B}[2Jc\u{85}é\u{202E}", isDetail: false)
        #expect(try pipes.contents().error == "a\\nb\\r\\u{1b}[2Jc\\u{85}é\\u{202e}\n")
    }

    @Test(
        "The level decides which events are shown",
        arguments: [
            (StandardErrorLog.Level.quiet, ""), (.normal, "event\n"), (.verbose, "event\ndetail\n"),
        ])
    func levels(level: StandardErrorLog.Level, expected: String) throws {
        let pipes = TestPipes()
        let log = StandardErrorLog(console: Console(output: pipes.output, error: pipes.error), level: level)
        log.note("event", isDetail: false)
        log.note("detail", isDetail: true)
        #expect(try pipes.contents().error == expected)
    }
}
