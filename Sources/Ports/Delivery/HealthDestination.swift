/// A place that records are delivered to, such as a server or a file.
public struct HealthDestination: Sendable {
    /// The address in one canonical form. It identifies the destination's queue in the outbox.
    public var address: String
    /// Encodes the records.
    public var encoder: any HealthRecordEncoder
    /// Delivers the batches.
    public var sender: any HealthRecordSender
    /// Encodes raw samples; `nil` if the destination accepts none.
    public var sampleEncoder: (any RawSampleEncoder)?
    /// Deletes raw steps at the destination; `nil` if it cannot.
    public var eraser: (any StoredStepEraser)?
    /// Asks the destination which raw samples it has; `nil` if it cannot be verified.
    package var reader: (any ServerSampleReader)?
    /// Asks the destination which derived records it has; `nil` if it cannot be verified.
    package var recordReader: (any ServerRecordReader)?

    /// Creates a destination for derived records, and for raw samples where `sampleEncoder` is given.
    public init(
        address: String, encoder: any HealthRecordEncoder, sender: any HealthRecordSender,
        sampleEncoder: (any RawSampleEncoder)? = nil, eraser: (any StoredStepEraser)? = nil
    ) {
        self.address = address
        self.encoder = encoder
        self.sender = sender
        self.sampleEncoder = sampleEncoder
        self.eraser = eraser
    }
}

/// Opens destinations whose addresses have one form, such as `ndjson:/path/to/file`.
///
/// The address is what the user gives as `--server`, `HEALTHSYNC_SERVER` or `server.url`.
public protocol HealthDestinationFormat: Sendable {
    /// The form of the addresses, for messages: `https://host`, `ndjson:/path/to/file`.
    var addressForm: String { get }
    /// Returns whether `address` has this form. Looks at the text only.
    func recognizes(_ address: String) -> Bool
    /// Opens the destination at an address that has this form. Nothing is sent or written yet.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if the address or a setting cannot be used.
    func destination(for request: DestinationRequest) throws -> HealthDestination
}

/// The settings with which a destination is opened.
public struct DestinationRequest: Sendable {
    /// The address as the user gave it.
    public var address: String
    /// The token from `--token-file` or `HEALTHSYNC_TOKEN`; `nil` if none exists. Never log it.
    public var token: String?
    /// The id of the user whose records are delivered, a UUID.
    public var userProfile: String
    /// The largest number of concurrent calls of `send`.
    public var batchesInFlight: Int
    /// The longest time that sending one batch may take, in milliseconds.
    public var timeoutMilliseconds: Int
    /// The clock.
    public var time: any TimeSource

    /// Creates a request to open the destination at `address`.
    public init(
        address: String, token: String? = nil, userProfile: String, batchesInFlight: Int = 3,
        timeoutMilliseconds: Int = 30_000, time: any TimeSource
    ) {
        self.address = address
        self.token = token
        self.userProfile = userProfile
        self.batchesInFlight = batchesInFlight
        self.timeoutMilliseconds = timeoutMilliseconds
        self.time = time
    }
}
