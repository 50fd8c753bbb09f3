package import HealthSyncDomain
package import HealthSyncPorts

/// Exports the stored samples.
package struct ExportSamples: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Writes the stored samples as unique rows, ordered by type, UTC day, origin and start; returns their number, or `nil`
    /// if the reader wants no more of them.
    ///
    /// `days` are calendar days of the user. A sample belongs to the day that contains its start. On failure or
    /// cancellation the destination is removed.
    package func run(
        types: [SampleType]?, days: DayRange?, to writer: any SampleRowWriter
    ) async throws -> Int? {
        let definitions = try await ports.pages.storedTypes().filter { types?.contains($0.type) ?? true }
        do {
            try await writer.begin()
            var count = 0
            for definition in definitions.sorted(by: { $0.type < $1.type }) {
                count += try await export(definition, days: days, to: writer)
            }
            try await writer.finish()
            return count
        } catch is RowReaderClosed {
            await writer.discard()
            return nil
        } catch {
            await writer.discard()
            throw error
        }
    }

    private func export(
        _ definition: SampleTypeDefinition, days: DayRange?, to writer: any SampleRowWriter
    ) async throws -> Int {
        guard let extent = try await ports.pages.dayExtent(of: [definition.type]),
            let utcDays = days.map({ $0.widened(before: 1, after: 1) }).map(extent.intersection) ?? extent
        else { return 0 }
        let interval = days.map { settings.clock.interval(of: $0) }
        let window = WindowLoader(pages: ports.pages, clock: settings.clock, types: [definition.type], reach: .days)
        var count = 0
        for run in DayRange.runs(of: Array(utcDays), atMost: 31) {
            try Task.checkCancellation()
            let samples = try await window.samples(on: run)[definition.type, default: []]
            let found = samples.flatMap { rows(of: $0, definition: definition, within: interval) }
            try await writer.append(found)
            count += found.count
        }
        return count
    }

    private func rows(
        of samples: OriginSamples, definition: SampleTypeDefinition, within interval: InstantRange?
    ) -> [SampleRow] {
        let columns = samples.columns
        return (0..<columns.count).compactMap { index in
            let sample = columns.interval(index)
            guard interval?.contains(sample.start) ?? true else { return nil }
            let detail = columns.details[index]
            let id = ports.hasher.sampleID(
                type: definition.type, interval: sample, value: columns.values[index], unit: definition.unit,
                origin: samples.origin, detail: detail)
            return SampleRow(
                id: id,
                type: definition.type, origin: samples.origin, interval: sample, value: columns.values[index],
                unit: definition.unit, zoneName: columns.zoneName(index), detail: detail)
        }
    }
}
