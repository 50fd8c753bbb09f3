import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestTools
import Testing

@Suite("Files that a browser sends")
struct FolderUploadsTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.path)
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test("A file is private and complete, and deleted when it is no longer needed")
    func file() throws {
        try inFolder { folder in
            let uploads = FolderUploads(folder: folder + "/data/uploads")
            let upload = try uploads.begin("export.zip")
            try upload.append([1, 2, 3][...])
            try upload.append([0, 4, 0][1...1])
            let file = try upload.finish()
            upload.discard()
            #expect(file == UploadedFile(name: "export.zip", path: folder + "/data/uploads/export.zip", bytes: 4))
            #expect(try PosixFiles().read(file.path, limit: 9) == [1, 2, 3, 4])
            #expect(try PosixFiles().status(of: file.path)?.permissions == 0o600)
            #expect(try PosixFiles().status(of: folder + "/data/uploads")?.permissions == 0o700)
            uploads.remove(file)
            #expect(names(folder + "/data/uploads") == [])
        }
    }

    @Test("There is one file at a time, also of several processes")
    func busy() throws {
        try inFolder { folder in
            let (uploads, others) = (FolderUploads(folder: folder), FolderUploads(folder: folder))
            let first = try uploads.begin("a")
            for other in [uploads, others] {
                #expect(throws: SyncFailure.self) { try other.begin("b") }
            }
            // Another process that starts meanwhile does not delete the file.
            _ = FolderUploads(folder: folder)
            #expect(names(folder) == ["a"])
            first.discard()
            #expect(names(folder) == [])
            let second = try others.begin("b")
            #expect((#expect(throws: SyncFailure.self) { try uploads.begin("c") })?.code == .busy)
            let file = try second.finish()
            #expect(throws: SyncFailure.self) { try uploads.begin("c") }
            others.remove(file)
            #expect(throws: SyncFailure.self) { try second.append([1][...]) }
            _ = try uploads.begin("c")
        }
    }

    @Test("What a killed process left is deleted at the next start")
    func leftover() throws {
        try inFolder { folder in
            try PosixFiles().makePrivateFolder(folder + "/uploads")
            _ = try PosixFiles().makePrivateFile(folder + "/uploads/export.zip", [1])
            _ = FolderUploads(folder: folder + "/uploads")
            #expect(names(folder + "/uploads") == [])
        }
    }

    @Test(
        "The name of a file stays in the folder",
        arguments: [
            ("export.zip", "export.zip"), ("/etc/passwd", "passwd"), ("C:\\a\\b c.zip", "b_c.zip"), ("..", "file.."),
            (".hidden", "file.hidden"), ("", "file"), ("/", "file"), ("é.zip", "__.zip"), ("a\u{0}b", "a_b"),
        ])
    func names(given: String, safe: String) { #expect(FolderUploads.safeName(given) == safe) }

    @Test("A long name keeps its end")
    func longName() {
        let name = String(repeating: "x", count: FolderUploads.longestName) + ".zip"
        #expect(FolderUploads.safeName(name).utf8.count == FolderUploads.longestName)
        #expect(FolderUploads.safeName(name).hasSuffix("x.zip"))
        let fits = String(name.suffix(FolderUploads.longestName))
        #expect(FolderUploads.safeName(fits) == fits)
    }
}
