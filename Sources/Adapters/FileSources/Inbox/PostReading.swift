import HealthSyncDomain
import HealthSyncPorts

/// A reading of posts, each of which is decoded by a function.
struct PostReading: InboxReading {
    /// Decodes one post: throws before it adds the first sample, or not at all.
    typealias Decode = (_ post: InboxPost, _ samples: inout DecodedSamples) throws -> Void

    private var samples: DecodedSamples
    private let decode: Decode

    init(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void, decode: @escaping Decode
    ) {
        samples = DecodedSamples(selection, in: context, receive: receive)
        self.decode = decode
    }

    var account: SourceReading { samples.account }

    mutating func take(_ post: InboxPost) throws { try decode(post, &samples) }

    mutating func finish() throws -> SourceReading { try samples.finish() }
}

extension InboxPost {
    /// The body as a JSON value.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if it is not one.
    func json() throws -> JSONNode {
        guard let node = JSONNode(body) else { throw undecodable("the body is not valid JSON") }
        return node
    }

    /// The body as a JSON object.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if it is not one.
    func jsonObject() throws -> JSONObject {
        guard let object = try json().object else { throw undecodable("the body is not a JSON object") }
        return object
    }

    /// Returns the failure of a post that cannot be decoded as a whole.
    func undecodable(_ reason: String, advice: String = "check the settings of the app") -> SyncFailure {
        SyncFailure(.badInput, subject: "post \(id)", reason: reason, advice: advice)
    }
}

/// The outline of the first JSON value of a body of which only the beginning may be known.
///
/// Recognition asks for names, never for their order; of a body that is longer than its known beginning, only the
/// members in it are seen.
struct BodyStart {
    /// What is known of a member.
    struct Member {
        /// The value, if it is a string.
        var text: String?
        var isArray = false
        var isObject = false
        /// The names in the object, or in the first element of the array.
        var names: Set<String> = []
    }

    /// The members of the object, or of the first object in an array.
    private(set) var members: [String: Member] = [:]
    private(set) var isObject = false
    private(set) var isArray = false

    init(_ start: ArraySlice<UInt8>) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = Array(start.dropFirst(start.starts(with: mark) ? 3 : 0))
        var cursor = JSONCursor(text)
        do throws(JSONCursor.Broken) {
            if try cursor.enterArray() {
                isArray = true
                guard try cursor.nextElement(first: true), try cursor.enterObject() else { return }
            } else {
                guard try cursor.enterObject() else { return }
                isObject = true
            }
            var isFirst = true
            while let name = try cursor.nextMember(first: isFirst) {
                isFirst = false
                members[name] = Self.outline(cursor)
                let value = try cursor.skipValue()
                members[name]?.text = cursor.text(value)
            }
        } catch {
            // The rest is not known.
        }
    }

    /// Whether a member with this name is known.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Returns the text of a member.
    func text(_ name: String) -> String? { members[name]?.text }

    /// Returns what is known of the value at `cursor`.
    private static func outline(_ cursor: JSONCursor) -> Member {
        var member = Member()
        var cursor = cursor
        do throws(JSONCursor.Broken) {
            member.isArray = try cursor.enterArray()
            if member.isArray {
                guard try cursor.nextElement(first: true), try cursor.enterObject() else { return member }
            } else {
                member.isObject = try cursor.enterObject()
                guard member.isObject else { return member }
            }
            var isFirst = true
            while let name = try cursor.nextMember(first: isFirst) {
                isFirst = false
                member.names.insert(name)
                _ = try cursor.skipValue()
            }
        } catch {
            // The rest is not known.
        }
        return member
    }
}
