import CHealthSyncSockets
import Foundation

/// Reports which sockets can be read or written. Any thread may wake it; one thread uses the rest.
struct Poller: Sendable {
    /// What a socket is ready for.
    struct Event {
        let key: UInt64
        let isReadable: Bool
        let isWritable: Bool
    }

    /// The key of the event that follows a call of `wake()`.
    static let wakeKey = UInt64.max

    private let descriptor: Int32
    private let waker: Int32

    /// Returns `nil` if the system has no further descriptors.
    init?() {
        descriptor = healthsync_poller_create()
        guard descriptor >= 0 else { return nil }
        waker = healthsync_waker_create(descriptor, Self.wakeKey)
        guard waker >= 0 else {
            Foundation.close(descriptor)
            return nil
        }
    }

    /// Starts to observe `socket`.
    func add(_ socket: Int32, key: UInt64, reads: Bool, writes: Bool) {
        _ = healthsync_poller_set(descriptor, socket, key, reads, writes, true)
    }

    /// Changes what is observed of `socket`.
    func change(_ socket: Int32, key: UInt64, reads: Bool, writes: Bool) {
        _ = healthsync_poller_set(descriptor, socket, key, reads, writes, false)
    }

    func remove(_ socket: Int32) { healthsync_poller_remove(descriptor, socket) }

    /// Waits for events, at most `milliseconds`, or without a limit if negative.
    func wait(milliseconds: Int32) -> [Event] {
        var events = [healthsync_event](repeating: healthsync_event(), count: 64)
        let count = unsafe healthsync_poller_wait(descriptor, &events, milliseconds)
        return events.prefix(Int(count)).compactMap { event in
            guard event.key != Self.wakeKey else { return nil }
            return Event(key: event.key, isReadable: event.readable, isWritable: event.writable)
        }
    }

    /// Ends the current or next wait.
    func wake() { healthsync_wake(descriptor, waker) }

    /// Closes the poller. Nothing may use it afterwards.
    func close() {
        if waker > 0 { Foundation.close(waker) }
        Foundation.close(descriptor)
    }
}
