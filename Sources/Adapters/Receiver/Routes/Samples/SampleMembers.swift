import HealthSyncDomain

/// The members of one sample, before validation.
struct SampleMembers {
    private(set) var uuid: JSONValue?
    private(set) var start: JSONValue?
    private(set) var end: JSONValue?
    private(set) var count: JSONValue?
    private(set) var value: JSONValue?
    private(set) var unit: JSONValue?
    private(set) var bundleID: JSONValue?
    private(set) var deviceName: JSONValue?
    private(set) var revision: JSONValue?

    init(_ element: JSONValue) {
        var found = Self()
        element.forEachMember { name, value in
            if name == "uuid" {
                found.uuid = value
            } else if name == "startDate" {
                found.start = value
            } else if name == "endDate" {
                found.end = value
            } else if name == "count" {
                found.count = value
            } else if name == "sourceBundleId" {
                found.bundleID = value
            } else if name == "sourceDeviceName" {
                found.deviceName = value
            } else if name == "value" {
                found.value = value
            } else if name == "unit" {
                found.unit = value
            } else if name == "revision" {
                found.revision = value
            }
        }
        self = found
    }

    private init() {}

    /// The id as the client sent it; empty if it is missing.
    var idText: String { uuid?.string ?? "" }

    /// Returns the sample, with origin 0.
    func sample(form: SampleReader.Form) throws(RejectedRecord) -> ReceivedSample {
        func rejection(_ reason: String) -> RejectedRecord { RejectedRecord(id: idText, reason: reason) }
        guard let read = unsafe uuid?.withUTF8({ unsafe UUIDText.halves($0) }) else {
            throw rejection("uuid must be a string")
        }
        guard let halves = read else { throw rejection("uuid must be a UUID") }
        guard let start = time(start) else { throw rejection("startDate must be an RFC 3339 time from 1900 to 2200") }
        guard let end = time(end) else { throw rejection("endDate must be an RFC 3339 time from 1900 to 2200") }
        guard start <= end else { throw rejection("endDate is before startDate") }
        let revision: Int64
        switch self.revision {
        case nil: revision = 0
        case let stated? where stated.isNull: revision = 0
        case let stated?:
            guard let number = stated.integer, (0...JSONValue.largestExactInteger).contains(number) else {
                throw rejection("revision must be an integer from 0 to 2^53 - 1")
            }
            revision = number
        }
        return ReceivedSample(
            id: SampleID(high: halves.high, low: halves.low), start: start, end: end,
            value: try amount(form, rejection),
            revision: revision,
            isUppercase: halves.hasCapitals)
    }

    private func amount(
        _ form: SampleReader.Form, _ rejection: (String) -> RejectedRecord
    ) throws(RejectedRecord) -> Double {
        switch form {
        case .steps:
            guard let count = count?.integer, (0...JSONValue.largestExactInteger).contains(count) else {
                throw rejection("count must be an integer from 0 to 2^53 - 1")
            }
            return Double(count)
        case .quantity:
            guard let number = (value ?? count)?.number, PlausibleValue.contains(number) else {
                throw rejection("value must be a number between -2^53 and 2^53")
            }
            return number
        }
    }

    private func time(_ value: JSONValue?) -> Instant? {
        guard let instant = unsafe value?.withUTF8({ unsafe RFC3339.instant($0) }) ?? nil,
            instant >= Self.earliest, instant < Self.latest
        else { return nil }
        return instant
    }

    private static let earliest = CalendarDay(year: 1900, month: 1, day: 1)?.utcStart ?? Instant(milliseconds: 0)
    private static let latest = CalendarDay(year: 2201, month: 1, day: 1)?.utcStart ?? Instant(milliseconds: 0)
}

/// The members of a sample that describe its origin.
enum OriginMembers {
    /// Returns the origin of a sample.
    static func origin(_ members: SampleMembers, form: SampleReader.Form) throws(RejectedRecord) -> ReceivedOrigin {
        func text(_ value: JSONValue?, _ name: String) throws(RejectedRecord) -> String? {
            guard let value, !value.isNull else { return nil }
            guard let text = value.string else {
                throw RejectedRecord(id: members.idText, reason: "\(name) must be a string")
            }
            guard text.unicodeScalars.count <= 1_000 else {
                throw RejectedRecord(id: members.idText, reason: "\(name) must have at most 1000 characters")
            }
            return text
        }
        let unit =
            switch form {
            case .steps: "count"
            case .quantity: try text(members.unit, "unit") ?? ""
            }
        return ReceivedOrigin(
            bundleID: try text(members.bundleID, "sourceBundleId") ?? "",
            deviceName: try text(members.deviceName, "sourceDeviceName"), unit: unit)
    }

    /// Returns whether the members describe `origin`, compared by bytes.
    static func match(_ origin: ReceivedOrigin, _ members: SampleMembers, form: SampleReader.Form) -> Bool {
        func matches(_ value: JSONValue?, _ text: String) -> Bool {
            guard let value, !value.isNull else { return false }
            return value.isString(text)
        }
        guard matches(members.bundleID, origin.bundleID) else { return false }
        if form == .quantity, !matches(members.unit, origin.unit) { return false }
        guard let device = origin.deviceName else { return members.deviceName?.isNull ?? true }
        return matches(members.deviceName, device)
    }
}
