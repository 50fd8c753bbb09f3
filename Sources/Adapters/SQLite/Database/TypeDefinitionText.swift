import Foundation
import HealthSyncDomain

/// A type definition as the JSON in `sample_type.definition`.
enum TypeDefinitionText {
    private struct Members: Codable {
        var kind: SampleKind
        /// Absent for arithmetic means.
        var averaging: SampleAveraging?
        var unit: String
        var factors: [String: Double]
        /// Absent if no unit needs one.
        var offsets: [String: Double]?
        var categoryValues: [String: Int]
    }

    static func text(of definition: SampleTypeDefinition) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let members = Members(
            kind: definition.kind, averaging: definition.averaging == .arithmetic ? nil : definition.averaging,
            unit: definition.unit, factors: definition.factors,
            offsets: definition.offsets.isEmpty ? nil : definition.offsets, categoryValues: definition.categoryValues)
        return String(decoding: try encoder.encode(members), as: UTF8.self)
    }

    static func definition(_ type: SampleType, _ text: String, path: String) throws -> SampleTypeDefinition {
        guard let members = try? JSONDecoder().decode(Members.self, from: Data(text.utf8)) else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable definition of \(type.rawValue)")
        }
        return SampleTypeDefinition(
            type, members.kind, averaging: members.averaging ?? .arithmetic, unit: members.unit,
            factors: members.factors, offsets: members.offsets ?? [:], categoryValues: members.categoryValues)
    }
}
