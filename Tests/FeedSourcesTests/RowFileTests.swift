import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncTestTools
import Testing

@Suite struct RowFileTests {
    enum Form: CaseIterable {
        case jsonLines
        case csv

        func writer(_ path: String) -> any SampleRowWriter {
            switch self {
            case .jsonLines: JSONLinesRowWriter(path: path)
            case .csv: CSVRowWriter(path: path)
            }
        }
    }

    @Test(arguments: Form.allCases) func aFileAppearsOnlyWhenFinishedAndForItsOwnerOnly(_ form: Form) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/out"
        let writer = form.writer(path)
        try await writer.begin()
        try await writer.append(RandomRows.make(10, seed: 1))
        #expect(!FileManager.default.fileExists(atPath: path))
        try await writer.finish()
        await writer.discard()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    }

    @Test(arguments: Form.allCases) func discardLeavesNothing(_ form: Form) async throws {
        let folder = try TemporaryFolder()
        let writer = form.writer(folder.path + "/out")
        try await writer.begin()
        try await writer.append(RandomRows.make(10, seed: 1))
        await writer.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test(arguments: Form.allCases) func anExistingFileIsNotReplaced(_ form: Form) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("mine", as: "out")
        await expectFailure(.cannotCreate) { try await form.writer(path).begin() }

        let late = form.writer(folder.path + "/late")
        try await late.begin()
        _ = try folder.write("mine", as: "late")
        await expectFailure(.cannotCreate) { try await late.finish() }
        await late.discard()
        #expect(try String(contentsOfFile: folder.path + "/late", encoding: .utf8) == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["late", "out"])
    }

    @Test(arguments: Form.allCases) func aMissingFolderIsReported(_ form: Form) async throws {
        let folder = try TemporaryFolder()
        await expectFailure(.cannotCreate) { try await form.writer(folder.path + "/none/out").begin() }
    }

    @Test(arguments: Form.allCases) func aFullDiskIsReported(_ form: Form) async throws {
        try #require(FileManager.default.fileExists(atPath: "/dev/full"))
        let writer = form.writer("/dev/full")
        await expectFailure(.storage) {
            try await writer.begin()
            try await writer.append(RandomRows.make(10, seed: 1))
        }
        await writer.discard()
    }
}
