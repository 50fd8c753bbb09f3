import Dispatch
import Foundation
import HealthSyncDomain

/// The entry of libFuzzer: reads `bytes` as the input that the environment variable `HEALTHSYNC_FUZZ` names. A trap, an error
/// other than a `SyncFailure` and a broken rule end the process.
@_cdecl("healthsync_fuzz")
public func fuzz(bytes: UnsafePointer<UInt8>?, count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            try await Entry.target.read(input)
        } catch let failure as SyncFailure {
            // 70: a mistake of the program.
            precondition(failure.code != .unexpected, "\(failure)")
        } catch {
            fatalError("\(Entry.target): \(error)")
        }
        done.signal()
    }
    done.wait()
    return 0
}

private enum Entry {
    static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["HEALTHSYNC_FUZZ"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else { fatalError("HEALTHSYNC_FUZZ: no target \(name)") }
        return target
    }()
}
