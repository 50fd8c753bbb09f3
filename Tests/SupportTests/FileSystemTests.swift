import Foundation
import HealthSyncSupport
import HealthSyncTestTools
import Testing

@Suite("Names of files")
struct FileSystemTests {
    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func content(_ path: String) throws -> [UInt8]? { try OpenFile(reading: path).readAll(limit: 1 << 20) }

    @Test("Folders are made with their parents, for their owner only; a file in the way is an error")
    func folders() throws {
        let folder = try TemporaryFolder()
        let deep = folder.path(of: "a/b/c")
        try FileSystem.makeFolder(deep)
        try FileSystem.makeFolder(deep)
        for path in ["a", "a/b", "a/b/c"] { #expect(try FileDetails(of: folder.path(of: path)).permissions == 0o700) }
        #expect(try FileSystem.create(folder.path(of: "file"), with: []))
        #expect(throws: SystemError(ENOTDIR)) { try FileSystem.makeFolder(folder.path(of: "file")) }
        #expect(throws: SystemError(ENOTDIR)) { try FileSystem.makeFolder(folder.path(of: "file/below")) }
    }

    @Test("A file is created unless a file, a folder or a link to nothing has its name")
    func creating() throws {
        let folder = try TemporaryFolder()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path(of: "file")))
        try FileSystem.makeFolder(folder.path(of: "folder"))
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: "none")
        for name in ["new", "file", "folder", "link"] {
            #expect(try FileSystem.create(folder.path(of: name), with: [3]) == (name == "new"))
        }
        #expect(try content(folder.path(of: "new")) == [3])
        #expect(try FileDetails(of: folder.path(of: "new")).permissions == 0o600)
        #expect(try content(folder.path(of: "file")) == Array("mine".utf8))
        #expect(try names(folder) == ["file", "folder", "link", "new"])
        #expect(throws: SystemError(ENOENT)) { try FileSystem.create(folder.path(of: "no/file"), with: []) }
    }

    @Test("A file is replaced as a whole, and becomes readable for its owner only")
    func replacing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "file")
        try FileSystem.replace(path, with: [1, 2, 3])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try FileSystem.replace(path, with: [4])
        #expect(try content(path) == [4])
        #expect(try FileDetails(of: path).permissions == 0o600)
        #expect(try names(folder) == ["file"])
        try FileSystem.makeFolder(folder.path(of: "folder"))
        #expect(throws: SystemError(EISDIR)) { try FileSystem.replace(folder.path(of: "folder"), with: []) }
        #expect(try names(folder) == ["file", "folder"])
    }

    @Test("A draft is next to its target until it gets its name, is discarded or is forgotten")
    func drafts() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "file")
        do {
            let draft = try FileDraft(of: path)
            #expect(try names(folder) == [".file.\(getpid()).new"])
            draft.discard()
            draft.discard()
            #expect(try names(folder) == [])
        }
        do { _ = try FileDraft(of: path) }
        #expect(try names(folder) == [])
        let draft = try FileDraft(of: path)
        try draft.file.write([8])
        #expect(try draft.createTarget())
        draft.discard()
        #expect(try content(path) == [8])
        let late = try FileDraft(of: path)
        #expect(try !late.createTarget())
        late.discard()
        #expect(try names(folder) == ["file"])
    }

    @Test("A draft that a killed process left is deleted by the next writer of the file; others stay")
    func abandonedDrafts() throws {
        let folder = try TemporaryFolder()
        let inUse = folder.path(of: ".file.2.new")
        let other = try OpenFile(creating: inUse, ifExists: .fail)
        #expect(try other.lock())
        for name in [".file.new", ".file.1x.new", ".file.12.newer", "file.12.new", ".file.3.new", ".file.1.4.new"] {
            try Data().write(to: URL(fileURLWithPath: folder.path(of: name)))
        }
        #expect(try FileSystem.create(folder.path(of: "file"), with: [1]))
        #expect(
            try names(folder) == [
                ".file.1.4.new", ".file.12.newer", ".file.1x.new", ".file.2.new", ".file.new", "file", "file.12.new",
            ])
    }

    @Test("A file is deleted only after its writer has ended")
    func renamedDraft() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "draft")
        let first = try FileDraft.lockedFile(path)
        FileDraft.removeIfAbandoned(path)
        #expect(FileDetails.exist(path))
        try first.close()
        FileDraft.removeIfAbandoned(path)
        #expect(!FileDetails.exist(path))
        FileDraft.removeIfAbandoned(path)
    }

    @Test("A file for other processes is replaced without a trace of its draft, also if it cannot be")
    func replacingBriefly() throws {
        let folder = try TemporaryFolder()
        let (path, draft) = (folder.path(of: "file"), folder.path(of: "file.new"))
        try FileSystem.replaceBriefly(path, through: draft, with: [1, 2])
        try FileSystem.replaceBriefly(path, through: draft, with: [3])
        #expect(try content(path) == [3])
        #expect(try FileDetails(of: path).permissions == 0o600)
        try FileSystem.makeFolder(folder.path(of: "folder"))
        #expect(throws: SystemError(EISDIR)) {
            try FileSystem.replaceBriefly(folder.path(of: "folder"), through: draft, with: [3])
        }
        #expect(try names(folder) == ["file", "folder"])
    }

    @Test("Names are listed without hidden ones; a missing folder has none, and a file is not a folder")
    func listing() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", ".c"] { #expect(try FileSystem.create(folder.path(of: name), with: [])) }
        var found: Set<String> = []
        try FileSystem.forEachName(in: folder.path) { found.insert($0) }
        #expect(found == ["a", "b"])
        try FileSystem.forEachName(in: folder.path(of: "none")) { _ in Issue.record("a name") }
        #expect(throws: SystemError(ENOTDIR)) { try FileSystem.forEachName(in: folder.path(of: "a")) { _ in } }
    }

    @Test("Deleting states whether there was a file; moving replaces one")
    func deletingAndMoving() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (folder.path(of: "a"), folder.path(of: "b"))
        #expect(try FileSystem.create(a, with: [1]))
        #expect(try FileSystem.create(b, with: [2, 2]))
        #expect(FileSystem.size(of: b) == 2)
        try FileSystem.move(a, to: b)
        #expect(try content(b) == [1])
        #expect(try FileSystem.delete(b))
        #expect(try !FileSystem.delete(b))
        #expect(try !FileSystem.delete(b + "/below"))
        #expect(FileSystem.size(of: b) == 0)
        #expect(throws: SystemError(ENOENT)) { try FileSystem.move(a, to: b) }
    }
}
