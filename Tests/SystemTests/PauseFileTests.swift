import Foundation
import HealthSyncDomain
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("The file of a pause")
struct PauseFileTests {
    private let time = ManualTime()

    @Test("A pause states its beginning until it is ended; setting it again does not change it")
    func beginning() throws {
        let home = try TemporaryFolder()
        let pause = PauseFile(folder: home.path(of: "data"), time: time)
        #expect(!pause.isSet() && pause.since() == nil)
        let began = time.now()
        try pause.set()
        time.advance(milliseconds: 5_000)
        try pause.set()
        #expect(pause.isSet() && pause.since() == began)
        #expect(try pause.clear() && pause.since() == nil)
        #expect(try !pause.clear())
    }

    @Test(
        "The file of a former version is empty: its time counts",
        arguments: ["", "x", String(repeating: "9", count: 99)])
    func formerFile(_ content: String) throws {
        let home = try TemporaryFolder()
        try content.write(toFile: home.path(of: "healthsync.paused"), atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
            ofItemAtPath: home.path(of: "healthsync.paused"))
        let pause = PauseFile(folder: home.path(of: ""), time: time)
        #expect(pause.isSet() && pause.since() == Instant(seconds: 1_700_000_000))
    }
}
