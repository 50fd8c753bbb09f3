import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("The time of a file")
struct FileTimeTests {
    /// 1600, 1969, 1970, 2024, 2300 and 4147; file systems differ in the times they support.
    private static let seconds = [-11_676_096_000, -86_400, 0, 1_705_276_800, 10_413_792_000, 68_719_476_736]

    @Test("Any modification time is read exactly, to the nanosecond", arguments: ["/tmp", "/dev/shm"], seconds)
    func anyTime(place: String, seconds: Int) async throws {
        guard let folder = try Self.folder(in: place) else {
            #expect(place == "/dev/shm", "not every system has a file system in memory")
            return
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/export.xml"
        try Data(Exports.document(Exports.record()).utf8).write(to: URL(fileURLWithPath: path))
        var prints: [String] = []
        var kept: [String] = []
        for nanoseconds in [1, 2, 1] {
            kept.append(try await setTime(of: path, seconds, nanoseconds))
            prints.append(try await AppleHealthExport(path: path, hasher: LibcryptoHasher()).fingerprint().content)
            let found = try await AppleHealthFormat(hasher: LibcryptoHasher()).sources(at: folder, in: .utc)
            #expect(found?.sources.map(\.location) == [folder])
        }
        #expect(prints.map { String($0.split(separator: " ")[1]) } == kept)
        #expect(prints[0] == prints[2])
        #expect((prints[0] == prints[1]) == (kept[0] == kept[1]))
    }

    @Test("Files of a feed are read in the order of their times, including unusual ones")
    func feed() async throws {
        let folder = try #require(try Self.folder(in: "/tmp"))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, quantity, seconds) in [
            ("b", 1, 10_413_792_000), ("a", 2, 1_705_276_800), ("c", 3, -11_676_096_000),
        ] {
            let text =
                #"{"data":{"metrics":[{"name":"step_count","units":"count","data":"#
                + #"[{"date":"2024-01-15 08:00:00 +0000","qty":\#(quantity)}]}]}}"#
            let path = folder + "/\(name).json"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            _ = try await setTime(of: path, seconds, 0)
        }
        let source = HealthAutoExportSource(path: folder, hasher: LibcryptoHasher())
        let reading = try await CollectedReading.collect(source, Exports.everything)
        #expect(reading.samples.map(\.value) == [3, 2, 1])
    }

    /// Creates a folder in `place`; `nil` if that does not exist.
    private static func folder(in place: String) throws -> String? {
        guard FileManager.default.isWritableFile(atPath: place) else { return nil }
        let folder = "\(place)/healthsync-times-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Sets the file's time with Python and returns the time the file system stored, in nanoseconds since 1970.
    private func setTime(of path: String, _ seconds: Int, _ nanoseconds: Int) async throws -> String {
        let source = """
            import os, sys
            ns = int(sys.argv[2]) * 10**9 + int(sys.argv[3])
            os.utime(sys.argv[1], ns=(ns, ns))
            print(os.stat(sys.argv[1]).st_mtime_ns, end="")
            """
        return String(
            decoding: try await Peer.evaluate(source, [path, "\(seconds)", "\(nanoseconds)"]), as: UTF8.self)
    }
}
