/// The answer to the question what a server can do.
package enum CapabilityAnswer: Sendable, Hashable {
    /// It said so, or a 404 said that it is of the original kind.
    case capabilities(DestinationCapabilities)
    /// No usable answer; the verdict says what to do.
    case failed(ResponseVerdict)
}
