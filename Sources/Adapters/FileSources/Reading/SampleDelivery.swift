import HealthSyncDomain
import HealthSyncPorts

/// A batch builder that stops when the reading is cancelled.
struct SampleDelivery {
    typealias Receiver = SampleBatchBuilder.Receiver
    typealias Sample = SampleBatchBuilder.Sample

    private var builder: SampleBatchBuilder
    private let cancellation: CancellationFlag

    init(cancellation: CancellationFlag, receive: @escaping Receiver) {
        self.cancellation = cancellation
        builder = SampleBatchBuilder { batch in
            try cancellation.check()
            try receive(batch)
        }
    }

    var zoneProblem: String? { builder.zoneProblem }

    mutating func add(_ sample: Sample) throws { try builder.add(sample) }

    mutating func begin(statement: Int?) throws { try builder.begin(statement: statement) }

    mutating func flush() throws {
        try cancellation.check()
        try builder.flush()
    }
}
