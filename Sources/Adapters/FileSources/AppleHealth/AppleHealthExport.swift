import Dispatch
package import HealthSyncDomain
package import HealthSyncPorts

/// An export of Apple's Health app: `export.zip`, the `export.xml` inside it, the unzipped folder or its parent folder.
///
/// Inflating and scanning overlap on two threads. Memory use does not depend on the size of the file. Dates in the
/// future and in the 1970s are kept; values are converted to the unit of the selected definition.
package struct AppleHealthExport: HealthDataSource {
    /// The path that the user specified.
    package let location: String
    /// `appleHealth`.
    package let provider = InputSamples.exportProvider
    /// An export is complete up to its export date.
    package let semantics = SourceSemantics.snapshot
    private let hasher: any ContentHasher
    private let knownTypes: SampleTypeTable
    private let limits: DecompressionLimits

    /// Creates a source for the export at `path`.
    ///
    /// - Parameters:
    ///   - hasher: Computes the digest of both ends of the file for its fingerprint.
    ///   - knownTypes: The units and states of types that are read without being selected by name.
    ///   - limits: The limits for decompressing an archive.
    package init(
        path: String, hasher: any ContentHasher, knownTypes: SampleTypeTable = .builtIn(),
        limits: DecompressionLimits = DecompressionLimits()
    ) {
        location = path
        self.hasher = hasher
        self.knownTypes = knownTypes
        self.limits = limits
    }

    /// Returns a fingerprint of the file that contains the export: its size, modification time and a digest of both
    /// ends.
    ///
    /// Throws `SyncFailure`: `.noInput` if the file does not exist, `.badInput` if it is not an export.
    package func fingerprint() async throws -> SourceFingerprint {
        let (location, limits, hasher) = (location, limits, hasher)
        return try await BlockingWork.run("healthsync.apple-health.fingerprint") { _ in
            let file = try ExportLocator(limits: limits).content(at: location).file
            return try FileFingerprint(hasher: hasher).fingerprint(of: file)
        }
    }

    /// Delivers the selected records as specified by `HealthDataSource`.
    ///
    /// Throws `SyncFailure`: `.noInput` if the file does not exist, `.badInput` if it is not an export, is encrypted,
    /// or decompresses beyond the limits.
    package func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        let export = self
        return try await BlockingWork.run("healthsync.apple-health.scan") { cancellation in
            try export.scan(selection, cancellation, receive)
        }
    }

    private func scan(
        _ selection: SampleSelection, _ cancellation: CancellationFlag,
        _ receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) throws -> SourceReading {
        let content = try ExportLocator(limits: limits).content(at: location)
        var scanner = ExportScanner(selection, known: knownTypes, size: content.size, receive: receive)
        let damage =
            switch content {
            // The system reads ahead in a plain file: a second thread costs more in synchronization than it saves.
            case .file: try scan(try content.reader(limits: limits), with: &scanner, cancellation)
            case .entry: try scanOverlapped(content, with: &scanner, cancellation)
            }
        return try scanner.finish(damage: damage, subject: location)
    }

    private func scan(
        _ reader: any ByteReader, with scanner: inout ExportScanner, _ cancellation: CancellationFlag
    ) throws -> StreamDamage? {
        let chunk = Chunk()
        var assembler = WindowAssembler()
        var isAtEnd = false
        while !isAtEnd {
            try cancellation.check()
            try chunk.withContent { content in
                try content.fill(from: reader)
                isAtEnd = content.count < Chunk.capacity
                try assembler.add(&content) { try scanner.scan($0, isLast: false) }
                isAtEnd = isAtEnd || scanner.isStopped
            }
        }
        try assembler.end { try scanner.scan($0, isLast: true) }
        return reader.damage
    }

    /// Scans while another thread decompresses.
    private func scanOverlapped(
        _ content: ExportContent, with scanner: inout ExportScanner, _ cancellation: CancellationFlag
    ) throws -> StreamDamage? {
        let limits = limits
        // Errors that make the whole archive unreadable are thrown here, before the other thread starts.
        _ = try content.reader(limits: limits)
        let ring = ChunkRing(count: 4)
        let feeding = DispatchGroup()
        DispatchQueue(label: "healthsync.apple-health.read").async(group: feeding) {
            do {
                ChunkFeeder(ring: ring).feed(from: try content.reader(limits: limits))
            } catch {
                ring.deliver(.failure(error))
            }
        }
        defer {
            ring.stop()
            feeding.wait()
        }
        var assembler = WindowAssembler()
        while true {
            try cancellation.check()
            switch ring.next() {
            case .chunk(let chunk):
                try chunk.withContent { content in
                    try assembler.add(&content) { try scanner.scan($0, isLast: false) }
                }
                if scanner.isStopped { return nil }
                ring.giveBack(chunk)
            case .end(let damage):
                try assembler.end { try scanner.scan($0, isLast: true) }
                return damage
            case .failure(let failure):
                throw failure
            }
        }
    }
}
