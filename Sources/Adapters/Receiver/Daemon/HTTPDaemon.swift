import CHealthSyncSockets
import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// An HTTP/1.1 server.
package final class HTTPDaemon: Sendable {
    /// The host name or address it listens on.
    package let host: String
    /// The port it listens on.
    package let port: Int
    /// The base URL for clients, such as `http://127.0.0.1:8000`.
    package let address: String
    private let context: DaemonContext
    private let control: ServerControl
    /// Ends with the server's thread.
    private let threadEnd: AsyncStream<Void>

    /// Starts a server that listens on `settings.host` and `settings.port` and handles requests by `router`.
    ///
    /// - Parameters:
    ///   - time: the time of day, for responses and logs.
    ///   - clock: measures deadlines and rates.
    /// - Throws: `SyncFailure` with `.configuration` if the address cannot be used, the TLS settings are invalid, or the
    ///   process may not open enough files.
    package init(
        settings: DaemonSettings, limits: ServerLimits, router: any RequestRouter, observer: any RequestObserver,
        time: any TimeSource, clock: any TimeSource
    ) throws {
        let context = DaemonContext(
            router: router, limits: limits, time: time, clock: clock, observer: observer,
            trustedProxies: settings.isBehindProxy ? settings.proxies : [],
            acceptsOnlyPrivateAddresses: settings.acceptsOnlyPrivateAddresses)
        let tls = try settings.tls.map { try Self.context(of: $0, subject: settings.host) }
        try Self.allowFiles(limits)
        var port = settings.port
        let descriptor: Int32 =
            if let passed = settings.socket {
                passed.descriptor
            } else {
                unsafe healthsync_listen(settings.host, &port)
            }
        guard descriptor >= 0 else {
            let problem = unsafe descriptor <= -10_000 ? "no such address" : String(cString: strerror(-descriptor))
            // A port may become free, unlike an address that this machine does not have.
            throw SyncFailure(
                descriptor == -EADDRINUSE ? .busy : .configuration,
                subject: "\(settings.host):\(settings.port)", reason: "cannot listen: \(problem)",
                advice: settings.bindFailureAdvice)
        }
        let socket = Socket(owning: descriptor)
        guard let poller = Poller() else {
            throw SyncFailure(
                .configuration, subject: "\(settings.host):\(port)", reason: "no further files can be opened",
                advice: "raise the limit with `ulimit -n`")
        }
        host = settings.host
        self.port = Int(port)
        let name = host.containsBytes(of: ":") ? "[\(host)]" : host
        address = "\(settings.tls == nil ? "http" : "https")://\(name):\(port)"
        let control = ServerControl(poller: poller, tls: tls)
        let (threadEnd, continuation) = AsyncStream.makeStream(of: Void.self)
        (self.context, self.control, self.threadEnd) = (context, control, threadEnd)
        let thread = Thread {
            ServerThread(context: context, control: control, poller: poller, listening: socket).run()
            continuation.finish()
        }
        thread.name = "healthsync.http"
        thread.start()
    }

    private static func context(of tls: DaemonSettings.TLS, subject: String) throws(SyncFailure) -> TLSContext {
        guard let context = TLSContext(tls) else {
            throw SyncFailure(
                .configuration, subject: subject, reason: "the certificate and the key cannot be used",
                advice: "check that both are valid PEM and match")
        }
        return context
    }

    /// Raises the process's limit on open files to what the connections need.
    private static func allowFiles(_ limits: ServerLimits) throws(SyncFailure) {
        // Databases, logs and the like.
        let others: UInt64 = 128
        let needed = UInt64(limits.connections) + others
        let allowed = healthsync_allow_files(needed)
        guard allowed >= needed else {
            throw SyncFailure(
                .configuration, subject: "\(limits.connections) connections",
                reason: "the process may open only \(allowed) files",
                advice: "raise the limit with `ulimit -n \(needed)`, or choose fewer with --connections")
        }
    }

    /// Uses another certificate for connections that are accepted from now on.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if the certificate or the key is invalid; nothing changes.
    package func use(_ tls: DaemonSettings.TLS) throws { control.use(try Self.context(of: tls, subject: host)) }

    /// Closes connections that exceed their deadlines, until the calling task is cancelled; then throws
    /// `CancellationError`.
    package func watch() async throws {
        while true {
            try await context.clock.wait(milliseconds: 250)
            context.connections.shutDownOverdue(at: context.clock.now())
        }
    }

    /// Stops accepting connections, finishes the current requests and stops the server. A request of which a part is still
    /// missing after two seconds is dropped, because its client may never send the rest. May be called once.
    ///
    /// - Returns: whether all current requests were finished within `graceMilliseconds`.
    package func stop(graceMilliseconds: Int64 = 30_000) async -> Bool {
        context.beginStopping()
        control.send(.stopListening)
        let deadline = context.clock.now().advanced(byMilliseconds: graceMilliseconds)
        let bodyDeadline = context.clock.now().advanced(byMilliseconds: min(graceMilliseconds, 2_000))
        var busyCount = context.connections.busyCount
        while busyCount > 0, context.clock.now() < deadline {
            if context.clock.now() >= bodyDeadline { context.connections.endBodies() }
            context.connections.shutDownOverdue(at: context.clock.now())
            do { try await context.clock.wait(milliseconds: 10) } catch { break }
            busyCount = context.connections.busyCount
        }
        control.send(.stop)
        for await _ in threadEnd {}
        return busyCount == 0
    }
}

/// The address, port and TLS settings of a server.
package struct DaemonSettings: Sendable, Hashable {
    /// A certificate chain and its private key, in PEM.
    package struct TLS: Sendable, Hashable {
        package var certificate: String
        package var privateKey: String

        package init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// Host name or numeric address.
    package var host: String
    /// 0 for any free port.
    package var port: UInt16
    /// The socket to listen on instead of `host` and `port`, which then state its address; `nil` to open one.
    package var socket: ServiceSocket?
    /// `nil` for plain HTTP.
    package var tls: TLS?
    /// Whether a proxy forwards the requests and states the client's address.
    package var isBehindProxy: Bool
    /// The addresses of the proxy. Others cannot state the client's address.
    package var proxies = AddressRange.loopback
    /// Whether clients must have a private, link-local or loopback address. Others get 403.
    package var acceptsOnlyPrivateAddresses = false
    /// What to do if the server cannot listen on the address.
    package var bindFailureAdvice = "choose another address or port with --listen or --port; port 0 selects a free port"

    package init(host: String = "127.0.0.1", port: UInt16 = 8000, tls: TLS? = nil, isBehindProxy: Bool = false) {
        self.host = host
        self.port = port
        self.tls = tls
        self.isBehindProxy = isBehindProxy
    }

    /// Listens on a socket that the service manager passed, if there is one.
    package mutating func use(_ socket: ServiceSocket?) {
        guard let socket else { return }
        (host, port, self.socket) = (socket.host, socket.port, socket)
    }

    /// Whether only this machine can reach the server.
    package var isLoopback: Bool { Loopback.isHost(host.containsBytes(of: ":") ? "[\(host)]" : host) }
}
