import CHealthSyncMicroHTTPD
import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// An HTTP/1.1 server over libmicrohttpd.
package final class HTTPDaemon: Sendable {
    /// The address it listens on.
    package let host: String
    /// The port it listens on.
    package let port: Int
    /// The address as a client is given it, such as `http://127.0.0.1:8000`.
    package let address: String
    private let context: DaemonContext
    // The daemon's address; it is used by `stop` alone, which may be called once.
    private let daemon: UInt

    /// Begins to listen on `settings.host` and `settings.port` (0 for any free one) and to answer by `responder`.
    ///
    /// - Throws: `SyncFailure` with `.configuration` where it cannot.
    package init(
        settings: DaemonSettings, limits: ServerLimits, responder: any HTTPResponder, observer: any RequestObserver,
        time: any TimeSource
    ) throws {
        context = DaemonContext(
            responder: responder, limits: limits, time: time, observer: observer,
            isBehindProxy: settings.isBehindProxy)
        var port = settings.port
        let socket = unsafe healthsync_listen(settings.host, &port)
        guard socket >= 0 else {
            let reason = unsafe socket <= -10_000 ? "no such address" : String(cString: strerror(-socket))
            throw SyncFailure(
                .configuration, subject: "\(settings.host):\(settings.port)", reason: "cannot listen: \(reason)",
                advice: settings.adviceWhereTaken)
        }
        host = settings.host
        self.port = Int(port)
        let name = host.contains(":") ? "[\(host)]" : host
        address = "\(settings.tls == nil ? "http" : "https")://\(name):\(port)"
        let started = unsafe Self.start(settings, limits: limits, socket: socket, context: context)
        guard let started = unsafe started else {
            close(socket)
            throw SyncFailure(
                .configuration, subject: "\(settings.host):\(port)", reason: "the HTTP library cannot start",
                advice: settings.tls == nil
                    ? "see the log" : "check that certificate and key are PEM and belong together")
        }
        daemon = UInt(bitPattern: started)
    }

    private static func start(
        _ settings: DaemonSettings, limits: ServerLimits, socket: Int32, context: DaemonContext
    ) -> OpaquePointer? {
        var values = unsafe healthsync_daemon_settings()
        unsafe values.listen_socket = socket
        unsafe values.connection_limit = UInt32(clamping: limits.connections)
        unsafe values.idle_timeout_seconds = UInt32(clamping: max(1, limits.idleMilliseconds / 1000))
        unsafe values.header_memory = limits.headerMemory
        unsafe values.accept = acceptConnection
        unsafe values.connection_changed = connectionChanged
        unsafe values.target_read = targetRead
        unsafe values.handle = handleRequest
        unsafe values.completed = requestCompleted
        // Held for the daemon's callbacks until `stop`; one that could not be stopped may call for as long as it lives.
        unsafe values.context = Unmanaged.passRetained(context).toOpaque()
        guard let tls = settings.tls else { return unsafe healthsync_daemon_start(&values) }
        return unsafe tls.certificate.withCString { certificate in
            unsafe tls.privateKey.withCString { key in
                unsafe values.certificate = certificate
                unsafe values.private_key = key
                return unsafe healthsync_daemon_start(&values)
            }
        }
    }

    /// Cuts connections that keep the server waiting too long, until the calling task is cancelled.
    package func watch() async throws {
        while true {
            try await context.time.wait(milliseconds: 250)
            context.connections.cutOverdue(at: context.time.now())
        }
    }

    /// Takes no more connections, finishes requests in hand and ends. To be called once.
    ///
    /// - Returns: whether all requests in hand were finished within `graceMilliseconds`.
    package func stop(graceMilliseconds: Int64 = 30_000) async -> Bool {
        context.beginStopping()
        let pointer = unsafe OpaquePointer(bitPattern: daemon)
        let listening = unsafe MHD_quiesce_daemon(pointer)
        if listening >= 0 { close(listening) }
        let deadline = context.time.now().advanced(byMilliseconds: graceMilliseconds)
        while context.connections.busyCount > 0, context.time.now() < deadline {
            context.connections.cutOverdue(at: context.time.now())
            do { try await context.time.wait(milliseconds: 10) } catch { break }
        }
        // With requests still suspended the library must not be stopped; the process is about to end anyway.
        guard context.connections.busyCount == 0 else { return false }
        context.connections.cutIdle()
        unsafe MHD_stop_daemon(pointer)
        unsafe Unmanaged.passUnretained(context).release()
        return true
    }
}
