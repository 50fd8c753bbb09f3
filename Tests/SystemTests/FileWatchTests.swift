import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestTools
import Testing

@Suite("Watched files") struct FileWatchTests {
    private let home: TemporaryFolder
    private let one: String
    private let two: String

    init() throws {
        home = try TemporaryFolder()
        one = home.path(of: "one")
        two = home.path(of: "two")
        for folder in [one, two] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    /// Waits for the next path of the stream.
    private func next(_ changes: AsyncStream<String>) async throws -> String {
        for await path in changes { return path }
        throw CancellationError()
    }

    @Test("an existing file is reported at the start, and an empty folder is not")
    func reportsExistingFiles() async throws {
        try home.write("a", as: "two/a")
        let changes = FileWatch(time: SystemClock()).changes(of: [one, two])
        #expect(try await next(changes) == two)
        try home.write("a", as: "one/a")
        #expect(try await next(changes) == one)
    }

    @Test("a file that arrives in an empty folder right after watching began is reported by the event")
    func noticesTheFirstFile() async throws {
        try FileManager.default.createDirectory(atPath: one + "/sub", withIntermediateDirectories: true)
        try home.write("a", as: "a")
        // Polling never takes place: only the event of the kernel can report the file.
        let changes = FileWatch(time: ImpatientTime()).changes(of: [one])
        #expect(rename(home.path(of: "a"), one + "/sub/a") == 0)
        #expect(try await next(changes) == one)
    }

    @Test("a file that is being written is reported when it is closed")
    func waitsForTheEnd() async throws {
        try home.write("", as: "two/first")
        let changes = FileWatch(time: SystemClock()).changes(of: [one, two])
        #expect(try await next(changes) == two)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: try home.write("", as: "one/slow")))
        #expect(try await next(changes) == one)
        try file.write(contentsOf: Data("half".utf8))
        // The other folder is reported although its change came later.
        try home.write("b", as: "two/second")
        #expect(try await next(changes) == two)
        try file.write(contentsOf: Data("whole".utf8))
        try home.write("c", as: "two/third")
        #expect(try await next(changes) == two)
        try file.close()
        #expect(try await next(changes) == one)
    }

    @Test("a file that was created and not yet written is reported when it is closed")
    func waitsForTheFirstWrite() async throws {
        let changes = FileWatch(time: SystemClock()).changes(of: [one, two])
        let descriptor = open(one + "/slow", O_CREAT | O_WRONLY, 0o600)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try home.write("a", as: "two/first")
        #expect(try await next(changes) == two)
        try home.write("b", as: "two/second")
        #expect(try await next(changes) == two)
        // A link to an empty file is complete, although nothing closes it.
        try home.write("", as: "empty")
        #expect(link(home.path(of: "empty"), one + "/link") == 0)
        try home.write("c", as: "two/third")
        #expect(try await next(changes) == two)
        try file.close()
        #expect(try await next(changes) == one)
    }

    @Test("a file that is moved in, replaced or deleted is reported, in new folders too")
    func reportsEveryChange() async throws {
        try home.write("a", as: "one/a")
        let changes = FileWatch(time: SystemClock()).changes(of: [one])
        #expect(try await next(changes) == one)
        try FileManager.default.createDirectory(atPath: one + "/sub", withIntermediateDirectories: true)
        try home.write("b", as: "b")
        try FileManager.default.moveItem(atPath: home.path(of: "b"), toPath: one + "/sub/b")
        #expect(try await next(changes) == one)
        try home.write("c", as: "c")
        #expect(rename(home.path(of: "c"), one + "/a") == 0)
        #expect(try await next(changes) == one)
        try FileManager.default.removeItem(atPath: one + "/a")
        #expect(try await next(changes) == one)
    }

    @Test("a single file that does not exist yet is reported when it appears")
    func waitsForAFile() async throws {
        let file = one + "/export.zip"
        let changes = FileWatch(time: SystemClock()).changes(of: [file])
        try home.write("other", as: "one/other.zip")
        try home.write("x", as: "x")
        try FileManager.default.moveItem(atPath: home.path(of: "x"), toPath: file)
        #expect(try await next(changes) == file)
    }

    @Test("numbers of deliveries are stored in a file that others cannot read")
    func storesDeliveries() async throws {
        let ledger = FileDeliveryLedger(folder: home.path)
        #expect(try await ledger.sequences().isEmpty)
        var sequence = DeliverySequence(.init(sender: "App", series: "a"), first: 3)
        sequence.receive(7)
        try await ledger.store([sequence])
        try await ledger.store([sequence])
        #expect(try await FileDeliveryLedger(folder: home.path).sequences() == [sequence])
        let attributes = try FileManager.default.attributesOfItem(atPath: home.path(of: "inbox-deliveries.json"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}

/// The clock of the system, whose long waits do not end until they are cancelled.
private struct ImpatientTime: TimeSource {
    private let clock = SystemClock()

    func now() -> Instant { clock.now() }

    func wait(milliseconds: Int64) async throws {
        try await clock.wait(milliseconds: milliseconds > 1_000 ? .max / 1_000_000_000 : milliseconds)
    }

    func systemZoneName() -> String { clock.systemZoneName() }
    func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try clock.zoneRules(named: name) }
    func zoneDatabase(of name: String) -> ZoneDatabase { clock.zoneDatabase(of: name) }
}
