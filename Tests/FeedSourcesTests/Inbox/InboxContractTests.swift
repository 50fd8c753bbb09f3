import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct InboxContractTests {
    @Test(arguments: try clauses()) func aBuiltInDecoderKeepsTheContract(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    @Test func everyPostBelongsToItsDecoder() throws {
        for (post, provider) in try Self.posts() {
            #expect(try Post.decoder(of: post).provider == provider, "\(post.id)")
        }
    }

    @Test func everyDecoderIsTested() throws {
        #expect(Set(try Self.posts().map(\.provider)) == Set(Post.all.map(\.provider)))
    }

    private static func posts() throws -> [(post: InboxPost, provider: String)] {
        [
            (try InboxPosts.steps(), "steps"), (try InboxPosts.hcGateway(), "hcGateway"),
            (try InboxPosts.hozz(), "hozz"), (try InboxPosts.openWearables(), "openWearables"),
            (try InboxPosts.healthAutoExport(), "healthAutoExport"), (try InboxPosts.companion(), "lifeDashboard"),
            (try InboxPosts.hcWebhook(), "hcWebhook"), (try InboxPosts.jsonLines(), "jsonLines"),
        ]
    }

    /// The body of a post of the same app with other times.
    private static func later(_ post: InboxPost) -> InboxPost {
        let text = String(decoding: post.body, as: UTF8.self).replacing("2026-08-22", with: "2026-08-21")
        return InboxPost(id: post.id + "-next", head: post.head, body: Array(text.utf8))
    }

    private static func clauses() throws -> [ContractClause] {
        let posts = try posts()
        return try posts.enumerated().flatMap { index, element in
            let (post, provider) = element
            let decoder = try Post.decoder(of: post)
            let type = provider == "hcGateway" ? protein : SampleTypeDefinition.stepCount
            var fixture = InboxDecoderFixture(
                decoder, post: post, next: later(post), selection: SampleSelection(types: [type]),
                broken: InboxPost(id: "broken", head: post.head, body: Array(#"{"data":"#.utf8)),
                foreign: posts[(index + 2) % posts.count].post)
            fixture.hasOneType = provider == "steps"
            return InboxDecoderContract.clauses(for: fixture).map { clause in
                ContractClause("\(provider): \(clause.name)", check: clause.check)
            }
        }
    }

    private static let protein = SampleTypeDefinition(
        SampleType(rawValue: "HKQuantityTypeIdentifierDietaryProtein"), .cumulative, unit: "g")
}
