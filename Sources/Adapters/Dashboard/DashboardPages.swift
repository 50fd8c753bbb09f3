import HealthSyncDomain
package import HealthSyncPorts

/// The pages for a person's browser.
package struct DashboardPages: WebPages {
    private let sources: DashboardSources
    private let pages: [any Page]
    private let actions: [any PageAction]
    private let frame: PageFrame

    init(sources: DashboardSources, pages: [any Page], actions: [any PageAction] = []) {
        self.sources = sources
        self.pages = pages
        self.actions = actions
        frame = PageFrame(
            navigation: pages.filter(\.isInNavigation).map { PageFrame.Entry(name: $0.name, address: $0.address) },
            zoneName: sources.clock.home.identifier)
    }

    /// Pages over the local database.
    package static func local(_ sources: DashboardSources, home: HomeSources) -> DashboardPages {
        DashboardPages(
            sources: sources,
            pages: [
                SummaryPage(), SleepPage(), StepsPage(), HeartRatePage(), JournalPage(reader: home.shoes),
                ShoesPage(reader: home.shoes), ShoePage(reader: home.shoes), SyncPage(home: home),
                IntervalsPage(store: home.intervals, server: home.server),
            ],
            actions: [
                AssignHours(reader: home.shoes, actions: home.shoeActions, clock: sources.clock),
                ClearHours(actions: home.shoeActions), AddShoe(actions: home.shoeActions),
                EditShoe(actions: home.shoeActions), RetryItems(actions: home.outboxActions),
            ] + ActOnShoe.Verb.allCases.map { ActOnShoe(verb: $0, actions: home.shoeActions) })
    }

    /// Pages over what a server received: each user's own, and his tokens.
    package static func receiving(
        _ sources: DashboardSources, received: any ReceivedDataStore, tokens: any AccessTokenStore,
        hasher: any SecretHasher, random: any RandomSource
    ) -> DashboardPages {
        DashboardPages(
            sources: sources,
            pages: [
                SummaryPage(), SleepPage(), StepsPage(), HeartRatePage(), SyncedStepsPage(store: received),
                TokensPage(tokens: tokens),
            ],
            actions: [
                CreateToken(tokens: tokens, hasher: hasher, random: random, time: sources.time),
                RevokeToken(tokens: tokens, time: sources.time),
            ])
    }

    package func operationName(method: String, path: [String]) -> String? {
        guard path.isEmpty || path[0] == "view" || path[0] == "assets" else { return nil }
        guard let place = place(of: path) else { return "other" }
        return ["GET", "POST"].contains(method) ? "\(method) \(place)" : "other"
    }

    private func place(of path: [String]) -> String? {
        WebAsset.at(path)?.path ?? pages.first { $0.path == path }?.address
            ?? actions.first { $0.path == path }?.address
    }

    package func isAsset(_ path: [String]) -> Bool { WebAsset.at(path) != nil }

    package func answer(_ request: WebRequest) async -> WebResponse {
        if let asset = WebAsset.at(request.path) {
            return WebResponse(content: .text(asset.text, type: asset.type))
        }
        do {
            switch request.method {
            case .get:
                guard let page = pages.first(where: { $0.path == request.path }) else {
                    return failurePage(404, "There is no such page.", viewer: request.viewer)
                }
                return .page(try await document(of: page, for: request))
            case .post:
                guard let action = actions.first(where: { $0.path == request.path }) else {
                    return failurePage(405, "Nothing can be sent there.", viewer: request.viewer)
                }
                switch try await action.perform(request) {
                case .seeOther(let address): return .seeOther(address)
                case .page(let name, let content):
                    return .page(frame.document(name: name, content: content, viewer: request.viewer))
                }
            }
        } catch let failure as SyncFailure {
            return failurePage(status(of: failure), failure.description, viewer: request.viewer)
        } catch {
            return failurePage(500, "This page could not be made.", viewer: request.viewer)
        }
    }

    private func status(of failure: SyncFailure) -> Int {
        switch failure.code {
        case .usage: 400
        case .forbidden: 403
        case .noInput: 404
        case .busy: 409
        default: 503
        }
    }

    package func loginPage(afterFailure: Bool) -> WebResponse {
        .page(
            frame.document(name: "Log in", content: LoginForm.content(afterFailure: afterFailure)),
            status: afterFailure ? 403 : 200)
    }

    package func refusalPage(status: Int, reason: String) -> WebResponse {
        failurePage(status, "Refused: \(reason).", viewer: nil)
    }

    private func document(of page: any Page, for request: WebRequest) async throws -> String {
        let repository = sources.repository(request.viewer.user)
        let context = PageContext(
            request: request, repository: repository, clock: sources.clock, now: sources.time.now(),
            recorded: try await repository.recordedDays())
        let notice = await sources.notice().map { text in
            [Markup.tag("p", [.class("notice warn"), .init("role", "note")], .text(text))]
        }
        return frame.document(
            name: page.name, content: (notice ?? []) + (try await page.content(context)), viewer: request.viewer)
    }

    private func failurePage(_ status: Int, _ text: String, viewer: WebViewer?) -> WebResponse {
        let content = Markup.tag("p", [.class("notice warn"), .init("role", "alert")], .text(text))
        return .page(frame.document(name: "Not shown", content: [content], viewer: viewer), status: status)
    }
}
