import HealthSyncDomain
import HealthSyncPorts

/// Waiting posts that are imported together, grouped by app.
struct InboxBatch {
    /// A post that needs no decoding, because it cannot be decoded.
    struct Undecodable {
        var id: String
        var outcome: InboxOutcome
    }

    /// Consecutive posts of one app; of a change stream, of one device.
    private struct Group {
        var decoder: any InboxDecoder
        var posts: [InboxPost]
    }

    private(set) var undecodable: [Undecodable] = []
    /// The ids of the posts that a decoder recognized, in order.
    private(set) var recognized: [String] = []
    /// The size of the loaded bodies, in bytes.
    private(set) var bytes = 0
    private var groups: [Group] = []

    /// The number of posts.
    var count: Int { recognized.count + undecodable.count }

    mutating func add(_ post: InboxPost, of decoder: any InboxDecoder) {
        bytes += post.body.count
        recognized.append(post.id)
        if let last = groups.last, last.decoder.name == decoder.name, last.decoder.provider == decoder.provider,
            decoder.semantics != .changes || last.posts.last?.head.device == post.head.device,
            decoder.combinesPosts || last.posts.last.map({ decoder.continues($0, with: post) }) ?? false
        {
            groups[groups.count - 1].posts.append(post)
        } else {
            groups.append(Group(decoder: decoder, posts: [post]))
        }
    }

    mutating func addUndecodable(_ id: String, _ outcome: InboxOutcome) {
        undecodable.append(Undecodable(id: id, outcome: outcome))
    }

    func sources(_ make: (_ posts: [InboxPost], _ decoder: any InboxDecoder) -> InboxSource) -> [InboxSource] {
        groups.map { make($0.posts, $0.decoder) }
    }
}
