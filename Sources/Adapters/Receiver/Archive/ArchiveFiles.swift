import Foundation
import HealthSyncDomain
import HealthSyncSupport

/// Failures of the file system in the archive.
enum ArchiveFiles {
    /// Returns the failure for an error of the system.
    static func failure(_ path: String, _ error: SystemError) -> SyncFailure {
        guard error.isDiskFull else {
            return SyncFailure(
                .storage, subject: path, reason: error.text,
                advice: "check the disk and the permissions of the folder")
        }
        return SyncFailure(.diskFull, subject: path, reason: "the disk is full", advice: "free some space on the disk")
    }

    /// Calls `body`, and throws the failure for its error.
    @discardableResult
    static func reporting<Result>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(SyncFailure) -> Result {
        do throws(SystemError) { return try body() } catch { throw failure(path, error) }
    }

    /// Returns the content of a file; `nil` if it cannot be read, is not a file, or has more than `limit` bytes.
    static func content(_ path: String, limit: Int) -> [UInt8]? {
        guard let file = try? OpenFile(reading: path, followsLinks: false), (try? file.details())?.isRegular == true
        else { return nil }
        return try? file.readAll(limit: limit)
    }
}

/// Creates ids of posts, such as `20261122T221839123-0001-1f3ad0a26b5c9e47`: the time of receipt in UTC, a number, and 64
/// random bits of this archive. No other archive creates the same id, so a post keeps its id when another machine pulls
/// it. Ids never become smaller, even if the clock is set back.
struct PostIDs {
    private var milliseconds: Int64
    private var number = 0
    private let archive = HexDigits.text((0..<8).map { _ in UInt8.random(in: .min ... .max) })

    private static let numbers = 10_000

    /// - Parameter last: the last id in the archive.
    init(after last: String?) {
        milliseconds = last.flatMap(Self.instant)?.milliseconds.advanced(by: 1) ?? .min
    }

    /// Returns the id of a post that was received at `instant`.
    mutating func next(at instant: Instant) -> String {
        if instant.milliseconds > milliseconds {
            milliseconds = instant.milliseconds
            number = 0
        } else if number + 1 < Self.numbers {
            number += 1
        } else {
            milliseconds += 1
            number = 0
        }
        let seconds = RFC3339.string(Instant(seconds: Instant(milliseconds: milliseconds).seconds))
        let fraction = milliseconds - Instant(milliseconds: milliseconds).seconds * 1000
        return seconds.filter { $0 != "-" && $0 != ":" && $0 != "Z" } + Self.digits(Int(fraction), 3)
            + "-\(Self.digits(number, 4))-\(archive)"
    }

    /// Returns whether `text` is an id. Any other text could name a file outside the archive.
    static func isID(_ text: String) -> Bool {
        instant(text) != nil && text.utf8.count <= 40
            && text.utf8.dropFirst(18).allSatisfy { $0 == 0x2D || HexDigits.value($0) != nil }
    }

    /// Returns whether the time in an id is one at which a post can have been received.
    static func isPlausible(_ id: String) -> Bool { instant(id).map { PlausibleTime.contains($0) } ?? false }

    /// Returns the time in an id, or `nil` if it is not one.
    static func instant(_ id: String) -> Instant? {
        let bytes = Array(id.utf8.prefix(18))
        guard bytes.count == 18, bytes[8] == 0x54 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return RFC3339.instant(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))"
                + ".\(part(15..<18))Z")
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
