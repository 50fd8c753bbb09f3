import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestTools
import Testing

@Suite("Files")
struct PosixFilesTests {
    private let files = PosixFiles()

    @Test("Folders and files are created for their owner only")
    func permissions() throws {
        try inFolder { folder in
            try files.makePrivateFolder(folder + "/a/b")
            try files.makePrivateFolder(folder + "/a/b")
            #expect(try files.status(of: folder + "/a")?.permissions == 0o700)
            #expect(try files.status(of: folder + "/a/b")?.isFolder == true)
            let path = folder + "/a/b/file"
            #expect(try files.makePrivateFile(path, [3]))
            #expect(try !files.makePrivateFile(path, [1, 2]))
            let status = try files.status(of: path)
            #expect(status == LocalFileStatus(isFolder: false, size: 1, permissions: 0o600))
            #expect(status?.isReadableByOthers == false)
            #expect(try files.read(path, limit: 1) == [3])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b") == ["file"])
        }
    }

    @Test("A finished file is moved into place unless a file, a folder or a dangling link exists there")
    func naming() throws {
        try inFolder { folder in
            let draft = folder + "/draft"
            for (number, name) in ["new", "file", "folder", "link"].enumerated() {
                try Data([UInt8(number)]).write(to: URL(fileURLWithPath: draft))
                let path = folder + "/" + name
                switch name {
                case "file": try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
                case "folder": try files.makePrivateFolder(path)
                case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "none")
                default: break
                }
                #expect(try files.putInPlace(draft, as: path) == (name == "new"))
                #expect(try (files.status(of: draft) == nil) == (name == "new"))
            }
            #expect(try files.read(folder + "/new", limit: 9) == [0])
            #expect(try files.read(folder + "/file", limit: 9) == Array("mine".utf8))
            let nowhere = #expect(throws: SyncFailure.self) {
                try files.putInPlace(draft, as: folder + "/no/file")
            }
            #expect(nowhere?.code == .cannotCreate)
        }
    }

    @Test("A draft that a killed process left is deleted by the next writer of the file; others stay")
    func abandonedDrafts() throws {
        try inFolder { folder in
            let path = folder + "/file"
            let draft = try files.createDraft(of: path)
            // The lock of this descriptor is another one than that of the open draft.
            _ = try files.createDraft(of: folder + "/file.1")
            // A process that another test starts may hold a copy of the descriptor for a moment, and with it the lock.
            #expect(flock(draft.descriptor, LOCK_UN) == 0)
            close(draft.descriptor)
            for name in [".file.new", ".file.1x.new", ".file.12.newer", "file.12.new", ".file.2.new"] {
                try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
            }
            #expect(try files.makePrivateFile(path, [1]))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(
                names == [
                    ".file.1.\(getpid()).new", ".file.12.newer", ".file.1x.new", ".file.new", "file", "file.12.new",
                ])
        }
    }

    @Test("A draft that another process writes stays")
    func draftInProgress() throws {
        try inFolder { folder in
            let path = folder + "/file"
            let other = folder + "/.file.2.new"
            let descriptor = open(other, O_RDWR | O_CREAT, 0o600)
            defer { close(descriptor) }
            #expect(flock(descriptor, LOCK_EX) == 0)
            #expect(try files.makePrivateFile(path, [1]))
            let status = try files.status(of: other)
            #expect(status != nil)
        }
    }

    @Test("A missing file, a large file and a folder are reported with their path")
    func failures() throws {
        try inFolder { folder in
            #expect(try files.status(of: folder + "/none") == nil)
            let missing = #expect(throws: SyncFailure.self) { try files.read(folder + "/none", limit: 9) }
            #expect(missing?.code == .noInput)
            #expect(missing?.subject == folder + "/none")
            _ = try files.makePrivateFile(folder + "/file", [1, 2, 3])
            #expect(throws: SyncFailure.self) { try files.read(folder + "/file", limit: 2) }
            #expect(throws: SyncFailure.self) { try files.read(folder, limit: 2) }
            let blocked = #expect(throws: SyncFailure.self) { try files.makePrivateFolder(folder + "/file/sub") }
            #expect(blocked?.code == .cannotCreate)
            let nowhere = #expect(throws: SyncFailure.self) { try files.makePrivateFile(folder + "/no/file", []) }
            #expect(nowhere?.code == .cannotCreate)
        }
    }

    @Test("Permissions for group or others are detected", arguments: [(0o600, false), (0o640, true), (0o604, true)])
    func readableByOthers(mode: Int, expected: Bool) throws {
        try inFolder { folder in
            _ = try files.makePrivateFile(folder + "/token", [])
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "/token")
            #expect(try files.status(of: folder + "/token")?.isReadableByOthers == expected)
        }
    }

    @Test("A folder has free space and is writable; a missing one is not")
    func room() throws {
        try inFolder { folder in
            let free = try #require(files.freeBytes(at: folder))
            #expect(free > 0)
            #expect(files.isWritable(folder))
            #expect(files.freeBytes(at: folder + "/none") == nil)
            #expect(!files.isWritable(folder + "/none"))
        }
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.path)
    }
}
