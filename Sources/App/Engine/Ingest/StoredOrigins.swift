import HealthSyncDomain

/// The origins under which samples of an input are stored.
///
/// Earlier versions stored devices of Health Connect without their type, and the origin is a part of the id of a sample.
/// So a device that is stored without a type keeps its origin: with another one, each sample that the app sends again
/// would be stored twice.
struct StoredOrigins {
    private struct Recorder: Hashable {
        var sourceName: ExactText
        var device: ExactText

        init(_ sourceName: String, _ device: String) {
            (self.sourceName, self.device) = (ExactText(sourceName), ExactText(device))
        }
    }

    /// Returns the readings with the stored origins of devices whose type is stated.
    static func kept(_ readings: [AssembledSamples], held: HeldPages) -> [AssembledSamples] {
        let arriving = readings.flatMap(\.tables.origins)
        guard arriving.contains(where: { DeviceText.withoutType($0.device) != nil }) else { return readings }
        let stored = Set(held.keys.map { Recorder($0.origin.sourceName, $0.origin.device) })
        // Posts of the former and of the present form may be imported together.
        let known = stored.union(arriving.map { Recorder($0.sourceName, $0.device) })
        return readings.map { reading in
            var reading = reading
            reading.tables.origins = reading.tables.origins.map { origin in
                guard let device = DeviceText.withoutType(origin.device),
                    !stored.contains(Recorder(origin.sourceName, origin.device)),
                    known.contains(Recorder(origin.sourceName, device))
                else { return origin }
                return SampleOrigin(
                    sourceName: origin.sourceName, device: device, isUserEntered: origin.isUserEntered,
                    isPreAggregated: origin.isPreAggregated)
            }
            return reading
        }
    }
}
