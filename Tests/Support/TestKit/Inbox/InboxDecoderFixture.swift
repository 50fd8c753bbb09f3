public import HealthSyncDomain
public import HealthSyncPorts

/// The posts with which `InboxDecoderContract` tests a decoder.
public struct InboxDecoderFixture: Sendable {
    /// The decoder.
    public var decoder: any InboxDecoder
    /// A post with samples of at least two types.
    public var post: InboxPost
    /// Another post of the app, with other samples.
    public var next: InboxPost
    /// A selection of at least one type of `post`, but not all of them.
    public var selection: SampleSelection
    /// A post of the app whose body cannot be decoded as a whole.
    public var broken: InboxPost
    /// A post of another app.
    public var foreign: InboxPost
    /// Whether the app sends only one type, which `selection` contains.
    public var hasOneType = false

    /// A fixture of these posts.
    public init(
        _ decoder: any InboxDecoder, post: InboxPost, next: InboxPost, selection: SampleSelection, broken: InboxPost,
        foreign: InboxPost
    ) {
        self.decoder = decoder
        self.post = post
        self.next = next
        self.selection = selection
        self.broken = broken
        self.foreign = foreign
    }
}
