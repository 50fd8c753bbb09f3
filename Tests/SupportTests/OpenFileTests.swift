import Foundation
import HealthSyncPorts
import HealthSyncSupport
import HealthSyncTestTools
import Testing

@Suite("Open files")
struct OpenFileTests {
    @Test("What was written is read, at positions and at the end, and only up to a limit")
    func content() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "file")
        let file = try OpenFile(creating: path, ifExists: .fail)
        try file.write([1, 2, 3])
        try file.write([9], at: 1)
        try file.sync()
        #expect(try file.read(upTo: 5) == [])
        try file.rewind()
        #expect(try file.read(upTo: 2) == [1, 9])
        #expect(try file.readAll(limit: 1) == [3])
        for (limit, content) in [(2, nil), (3, [1, 9, 3] as [UInt8]?), (4, [1, 9, 3])] {
            #expect(try OpenFile(reading: path).readAll(limit: limit) == content)
        }
        try file.truncate(to: 1)
        let details = try file.details()
        #expect((details.size, details.permissions, details.isRegular, details.hasName) == (1, 0o600, true, true))
    }

    @Test("A large file is read to its end")
    func largeFile() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        let file = try OpenFile(creating: folder.path(of: "file"), ifExists: .fail)
        try file.write(bytes)
        try file.rewind()
        #expect(try file.readAll(limit: bytes.count) == bytes)
    }

    @Test("After closing, every call fails with EBADF, and another file with the same descriptor stays as it is")
    func closed() throws {
        let folder = try TemporaryFolder()
        let file = try OpenFile(creating: folder.path(of: "file"), ifExists: .fail)
        try file.close()
        try file.close()
        let other = try OpenFile(creating: folder.path(of: "other"), ifExists: .fail)
        let calls: [() throws -> Void] = [
            { try file.write([1]) }, { try file.write([1], at: 0) }, { _ = try file.read(upTo: 1) },
            { try file.truncate(to: 7) }, { try file.sync() }, { try file.makePrivate() }, { try file.rewind() },
            { _ = try file.details() }, { _ = try file.lock() }, { try file.waitForLock() },
        ]
        for call in calls { #expect(throws: SystemError(EBADF)) { try call() } }
        try other.write([5])
        #expect(try other.details().size == 1)
    }

    @Test("An existing file is left, opened or emptied, and keeps its permissions until they are narrowed")
    func existing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "file")
        try Data([1, 2]).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: SystemError(EEXIST)) { try OpenFile(creating: path, ifExists: .fail) }
        let opened = try OpenFile(creating: path, ifExists: .open)
        #expect(try opened.details().size == 2)
        #expect(try opened.details().permissions == 0o644)
        try opened.makePrivate()
        #expect(try FileDetails(of: path).permissions == 0o600)
        #expect(try OpenFile(creating: path, ifExists: .truncate).details().size == 0)
        #expect(throws: SystemError(ENOENT)) { try OpenFile(changing: path + ".no") }
        #expect(throws: SystemError(ENOENT)) { try OpenFile(writing: path + ".no") }
        try OpenFile(appendingTo: path).write([1])
        try OpenFile(appendingTo: path).write([2])
        #expect(try OpenFile(reading: path).readAll(limit: 9) == [1, 2])
    }

    @Test("A link is followed only where that is asked for")
    func links() throws {
        let folder = try TemporaryFolder()
        let (path, link) = (folder.path(of: "file"), folder.path(of: "link"))
        try Data([7]).write(to: URL(fileURLWithPath: path))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try OpenFile(reading: link).readAll(limit: 9) == [7])
        #expect(throws: SystemError(ELOOP)) { try OpenFile(reading: link, followsLinks: false) }
        #expect(throws: SystemError(ELOOP)) { try OpenFile(changing: link) }
        #expect(throws: SystemError(ELOOP)) { try OpenFile(creating: link, ifExists: .truncate) }
        #expect(try FileDetails(of: link).isRegular)
        #expect(try !FileDetails(of: link, followsLinks: false).isRegular)
        try FileSystem.delete(path)
        #expect(FileDetails.exist(link))
        #expect(throws: SystemError(ENOENT)) { try FileDetails(of: link) }
    }

    @Test("A pipe without a writer has no content; one is waited for where that is asked for")
    func pipes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "pipe")
        #expect(mkfifo(path, 0o600) == 0)
        do {
            let idle = try OpenFile(reading: path)
            #expect(try idle.readAll(limit: 9) == [])
            #expect(try !idle.details().isRegular)
        }
        // Each end waits for the other one.
        async let content = BlockingWork.run { _ in try OpenFile(reading: path, waits: true).readAll(limit: 9) }
        try await BlockingWork.run { _ in try OpenFile(writing: path).write([4, 2]) }
        #expect(try await content == [4, 2])
    }

    @Test("A lock excludes other openings until it is closed, even if another process inherited the descriptor")
    func locks() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "file")
        let first = try OpenFile(creating: path, ifExists: .fail)
        #expect(try first.lock())
        let copy = try first.withDescriptor { descriptor throws(SystemError) in
            try OpenFile(duplicateOf: descriptor)
        }
        let second = try OpenFile(reading: path)
        #expect(try !second.lock())
        #expect(try !second.lock(isShared: true))
        try first.close()
        #expect(try second.lock(isShared: true))
        #expect(try OpenFile(reading: path).lock(isShared: true))
        #expect(try !OpenFile(reading: path).lock())
        #expect(try copy.details().size == 0)
        try second.close()
        try OpenFile(folder: folder.path).waitForLock()
    }

    @Test(
        "Errors have the system's text",
        arguments: [(ENOSPC, "No space left on device"), (ENOENT, "No such file or directory")])
    func errors(code: Int32, text: String) {
        #expect(SystemError(code).text == text)
        #expect(SystemError(code).isDiskFull == (code == ENOSPC))
        #expect(SystemError(code).isMissing == (code == ENOENT))
    }

    @Test("A device that is full is an error")
    func fullDevice() throws {
        let full = try OpenFile(writing: "/dev/full")
        #expect(throws: SystemError(ENOSPC)) { try full.write([1]) }
    }
}
