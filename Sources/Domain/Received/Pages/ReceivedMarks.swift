/// The flags of a sample in a page.
package struct ReceivedMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sample is a tombstone.
    package static let deleted = ReceivedMarks(rawValue: 1)
    /// The client writes the id in capital letters.
    package static let uppercase = ReceivedMarks(rawValue: 2)

    init(_ sample: ReceivedSample) {
        var marks: ReceivedMarks = []
        if sample.isDeleted { marks.insert(.deleted) }
        if sample.isUppercase { marks.insert(.uppercase) }
        self = marks
    }
}
