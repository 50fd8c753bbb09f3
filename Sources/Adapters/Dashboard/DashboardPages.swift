import HealthSyncDomain
package import HealthSyncPorts

/// The pages for a browser.
package struct DashboardPages: WebPages {
    private let sources: DashboardSources
    private let pages: [any Page]
    private let actions: [any PageAction]
    private let colors: ShoeColors?
    private let uploads: (any FileUploads)?
    private let frame: PageFrame
    private let cache = RepositoryCache()

    init(
        sources: DashboardSources, pages: [any Page], actions: [any PageAction] = [], colors: ShoeColors? = nil,
        uploads: (any FileUploads)? = nil
    ) {
        self.uploads = uploads
        self.colors = colors
        self.sources = sources
        self.pages = pages
        self.actions = actions
        frame = PageFrame(
            navigation: pages.filter(\.isInNavigation).map {
                PageFrame.Entry(name: $0.name, address: $0.address, showsDay: $0.showsDay)
            },
            zoneName: sources.clock.home.identifier)
    }

    /// Returns the pages of the local database.
    package static func local(_ sources: DashboardSources, home: LocalSources) -> DashboardPages {
        let advice = "Import an export on the page Summary."
        let undo = JournalUndo()
        let verbs: [any PageAction] = ActOnShoe.Verb.allCases.map { ActOnShoe(verb: $0, actions: home.shoeActions) }
        let delivery: [any PageAction] = StartDelivery.offered.map {
            StartDelivery(action: $0, actions: home.deliveryActions)
        }
        let importPage = home.imports.map { ImportPage(home: home, imports: $0) }
        var importFile: [any PageAction] = []
        if let imports = home.imports, let uploads = home.uploads {
            importFile = [ImportFile(imports: imports, uploads: uploads)]
        }
        return DashboardPages(
            sources: sources,
            pages: [
                SummaryPage(advice: advice, catalog: sources.catalog, imports: home.imports), SleepPage(), StepsPage(),
                HeartRatePage(),
                YearsPage(), YearPage(shoes: home.shoes), MetricsPage(catalog: sources.catalog, advice: advice),
                MetricPage(catalog: sources.catalog),
                JournalPage(reader: home.shoes, undo: undo), ShoesPage(reader: home.shoes),
                ShoePage(reader: home.shoes),
                SyncPage(home: home), DevicesPage(devices: home.devices),
                IntervalsPage(store: home.intervals, server: home.server),
            ] + (importPage.map { [$0] } ?? []),
            actions: [
                AssignHours(reader: home.shoes, actions: home.shoeActions, clock: sources.clock, undo: undo),
                ClearHours(actions: home.shoeActions, undo: undo), UndoHours(actions: home.shoeActions, undo: undo),
                AddShoe(actions: home.shoeActions),
                EditShoe(actions: home.shoeActions), DeleteShoe(reader: home.shoes, actions: home.shoeActions),
                RetryItems(actions: home.outboxActions, delivery: home.deliveryActions),
                ClearDelivery(home: home), PairDevice(devices: home.devices),
                RevokeDevice(devices: home.devices), ConfirmDevice(devices: home.devices),
            ] + verbs + delivery + importFile,
            colors: ShoeColors(reader: home.shoes), uploads: home.uploads)
    }

    /// Returns the pages of a receiving server: the records of the logged-in user, and their tokens.
    ///
    /// - Parameter receivesPosts: whether the server receives posts of phones.
    package static func receiving(
        _ sources: DashboardSources, received: any ReceivedDataStore, tokens: any AccessTokenStore,
        hasher: any SecretHasher, random: any RandomSource, receivesPosts: Bool = false
    ) -> DashboardPages {
        let note = ReceivedStepsNote(store: received)
        let advice = "Send records with healthsync historical --server URL, where URL is the address of this server."
        return DashboardPages(
            sources: sources,
            pages: [
                SummaryPage(advice: advice, catalog: sources.catalog, receivedSteps: note), SleepPage(),
                StepsPage(receivedSteps: note), HeartRatePage(), YearsPage(), YearPage(shoes: nil, receivedSteps: note),
                MetricsPage(catalog: sources.catalog, advice: advice, receivedSteps: note),
                MetricPage(catalog: sources.catalog), SyncedStepsPage(store: received),
                TokensPage(tokens: tokens, receivesPosts: receivesPosts),
            ],
            actions: [
                CreateToken(tokens: tokens, hasher: hasher, random: random, time: sources.time),
                RevokeToken(tokens: tokens, time: sources.time),
            ]
                + (receivesPosts
                    ? [PairPhone(tokens: tokens, hasher: hasher, random: random, time: sources.time)] : []))
    }

    package func route(at path: [String]) -> WebRoute? {
        guard path.isEmpty || path[0] == "view" || path[0] == "assets" else { return nil }
        if let asset = WebAsset.at(path) { return WebRoute(template: asset.path, methods: [.get], isAsset: true) }
        if colors != nil, path == ShoeColors.path {
            return WebRoute(template: ShoeColors.address, methods: [.get])
        }
        let page = pages.first { $0.path == path }
        let action = actions.first { $0.path == path }
        return WebRoute(
            template: page?.address ?? action?.address,
            methods: (page == nil ? [] : [.get]) + (action == nil ? [] : [.post]))
    }

    package func uploads(at path: [String]) -> (any FileUploads)? {
        actions.contains { $0.path == path && $0 is ImportFile } ? uploads : nil
    }

    package func answer(_ request: WebRequest) async -> WebResponse {
        if let asset = WebAsset.at(request.path) {
            return WebResponse(content: .text(asset.text, type: asset.type))
        }
        do {
            switch request.method {
            case .get:
                if let colors, request.path == ShoeColors.path {
                    return WebResponse(content: .text(try await colors.text(), type: WebAsset.css))
                }
                guard let page = pages.first(where: { $0.path == request.path }) else {
                    return actions.contains { $0.path == request.path }
                        ? failurePage(405, "This address only accepts forms.", viewer: request.viewer)
                        : failurePage(404, "No such page.", viewer: request.viewer)
                }
                return .page(try await document(of: page, for: request))
            case .post:
                guard let action = actions.first(where: { $0.path == request.path }) else {
                    return pages.contains { $0.path == request.path }
                        ? failurePage(405, "This page accepts no forms.", viewer: request.viewer)
                        : failurePage(404, "No such page.", viewer: request.viewer)
                }
                return try await answer(of: action, to: request)
            }
        } catch {
            let (status, text) = statusAndText(error, of: request)
            // The page works without the invalid query.
            let page = status == 400 ? pages.first { $0.path == request.path } : nil
            return failurePage(status, text, viewer: request.viewer, isChange: request.method == .post, back: page)
        }
    }

    /// Returns the response to a form: if the form is invalid or another run holds the lock, the page of the form with
    /// the user's input.
    private func answer(of action: any PageAction, to request: WebRequest) async throws -> WebResponse {
        do {
            switch try await action.perform(request) {
            case .seeOther(let address): return .seeOther(address)
            case .page(let name, let content):
                return .page(frame.document(name: name, content: content, viewer: request.viewer))
            }
        } catch let failure as SyncFailure where Self.shownOnTheForm.contains(failure.code) {
            guard let place = action.place(of: request), let page = pages.first(where: { $0.address == place.address })
            else { throw failure }
            let (status, text) = statusAndText(failure, of: request)
            var again = request
            again.query = place.query
            let problem = FormProblem(text: text, subject: failure.subject)
            return .page(try await document(of: page, for: again, problem: problem), status: status)
        }
    }

    /// Returns the status and the message for the viewer. Errors in the viewer's input are shown in full. Other errors
    /// may contain paths and are only logged.
    private func statusAndText(_ error: any Error, of request: WebRequest) -> (status: Int, text: String) {
        let operation = "\(request.method.rawValue) \(route(at: request.path)?.template ?? "page")"
        switch error {
        case let failure as SyncFailure where failure.code == .usage: return (400, failure.description)
        case let failure as SyncFailure where failure.code == .forbidden: return (403, failure.description)
        case let failure as SyncFailure where failure.code == .noInput: return (404, failure.description)
        case let failure as SyncFailure where failure.code == .badInput: return (400, failure.description)
        case let failure as SyncFailure where failure.code == .diskFull && request.fileFailure != nil:
            sources.log.note("\(operation): status 507: \(FailureText.of(failure))", level: .error)
            return (507, failure.description)
        case let failure as SyncFailure where failure.code == .busy:
            sources.log.note("\(operation): status 409: \(FailureText.of(failure))", level: .warning)
            return (409, "Nothing was changed: \(failure.reason). Try again when it has finished.")
        case let failure as SyncFailure where failure.code != .unexpected:
            sources.log.note("\(operation): status 503: \(FailureText.of(failure))", level: .error)
            return (503, "The stored data is not available now. Try again in a minute; \(Self.whereToLook).")
        default:
            sources.log.note("\(operation): status 500: \(FailureText.of(error))", level: .error)
            return (500, "The page could not be created. Reload it; \(Self.whereToLook).")
        }
    }

    /// The failures that the page of a form reports.
    private static let shownOnTheForm: Set<SyncFailure.Code> = [.usage, .busy, .forbidden, .diskFull, .badInput]

    private static let whereToLook =
        "if that fails again, see the program's log (standard error)"

    package func loginPage(afterFailure: Bool) -> WebResponse {
        .page(
            frame.document(name: "Log in", content: LoginForm.content(afterFailure: afterFailure)),
            status: afterFailure ? 403 : 200)
    }

    package func errorPage(status: Int, reason: String) -> WebResponse {
        failurePage(status, "Request rejected: \(reason).", viewer: nil)
    }

    private func document(
        of page: any Page, for request: WebRequest, problem: FormProblem? = nil
    ) async throws -> String {
        let user = request.viewer.user
        let repository = try await cache.repository(of: user, over: sources.repository(user))
        let recorded = try await repository.recordedDays()
        let clock = try await clock(of: user, repository)
        let context = PageContext(
            request: request, repository: repository, clock: clock,
            clockForm: ClockForm(language: request.language), now: sources.time.now(),
            recorded: recorded, problem: problem)
        let freshness =
            recorded == nil ? nil : try await repository.freshness(today: context.today)
        let notices = await sources.notices()
        let notice = (notices.top ?? notices.outOfDate?.sentence(context.numbers)).map { text in
            [Markup.tag("p", [.class("notice warn"), .init("role", "note")], .text(text))]
        }
        let ending = freshness.map { [FreshnessLine(freshness: $0, hasImport: uploads != nil).markup] } ?? []
        let head = (notice ?? []) + ending + (problem.map { [$0.notice] } ?? [])
        return frame.document(
            name: try await page.title(context), entry: page.entry, isDetail: !page.isInNavigation,
            day: try? context.day(), content: head + (try await page.content(context)), viewer: request.viewer,
            zone: clock == sources.clock ? nil : "of your data, as in \(clock.home.identifier)",
            footer: [notices.zone, notices.history])
    }

    /// Returns the clock of a viewer's days.
    private func clock(of user: UserName, _ repository: any HealthRepository) async throws -> DayClock {
        guard let rules = sources.rulesOfViewers else { return sources.clock }
        return try await cache.clock(of: user, over: repository) {
            try await ViewerClock(repository: repository, usual: sources.clock).clock(rules)
        }
    }

    private func failurePage(
        _ status: Int, _ text: String, viewer: WebViewer?, isChange: Bool = false, back page: (any Page)? = nil
    ) -> WebResponse {
        let notice = Markup.tag("p", [.class("notice warn"), .init("role", "alert")], .text(text))
        let link = page.map { [Markup.tag("p", [], .tag("a", [.href($0.address)], "Back to \($0.name)"))] } ?? []
        let name = isChange ? "Not changed" : "Not shown"
        return .page(frame.document(name: name, content: [notice] + link, viewer: viewer), status: status)
    }
}

/// The form that asks for an access token.
private enum LoginForm {
    static func content(afterFailure: Bool) -> [Markup] {
        let notice: [Markup] =
            afterFailure
            ? [
                .tag(
                    "p", [.class("notice warn"), .init("role", "alert")],
                    "The token is invalid or does not have the scope read.")
            ] : []
        let form = Markup.tag(
            "form", [.init("method", "post"), .init("action", "/login")],
            .tag("label", [.init("for", "token")], "Access token"),
            .tag(
                "p", [],
                .tag(
                    "input",
                    [
                        .init("type", "password"), .id("token"), .init("name", "token"), .init("required"),
                        .init("autocomplete", "current-password"), .init("aria-describedby", "token-help"),
                    ])),
            .tag(
                "p", [.class("quiet"), .id("token-help")],
                "A token with the scope read, as shown by healthsync token create."),
            Form.button("Log in", [.class("strong")]))
        return notice + [.tag("section", [.class("card")], form)]
    }
}

extension PageNotices.OutOfDate {
    /// Returns `21 days are out of date, 11 Mar 2026 to 31 Mar 2026: run healthsync historical.`
    fileprivate func sentence(_ numbers: NumberForm) -> String {
        let days = CountText.of(count, "day", number: { numbers.whole(Double($0)) })
        let last = extent.count == 1 ? "" : " to \(extent.last.dateInWords)"
        return "\(days) \(count == 1 ? "is" : "are") out of date, \(extent.first.dateInWords)\(last): run \(command)."
    }
}

/// Where the recorded data end: a notice if they are old, otherwise a quiet line.
private struct FreshnessLine {
    let freshness: DataFreshness
    /// Whether the user can import a file and pair a phone on the pages.
    var hasImport = false

    var markup: Markup {
        let statement = Markup.tag("strong", [], .text(freshness.statement))
        guard freshness.isOld else {
            return .tag("p", [.class("quiet"), .id("freshness")], .text(freshness.statement))
        }
        return .tag(
            "p", [.class("notice warn"), .id("freshness"), .init("role", "note")],
            statement, ". ", remedy, ".")
    }

    /// The remedy, with links to what the pages can do.
    private var remedy: Markup {
        guard hasImport else { return .text(DataFreshness.remedy) }
        return .tag("a", [.href(ImportPage.address)], "Export again") + ", or "
            + .tag("a", [.href(DevicesPage.address)], "connect the phone")
    }
}

/// The clock by which the days of a viewer were derived, which a server does not know: it follows from the first instants of
/// the days.
private struct ViewerClock {
    let repository: any HealthRepository
    /// The clock of the server.
    let usual: DayClock

    /// The metrics that are read until every day is known.
    private static let mostMetrics = 8

    func clock(_ rules: ZoneEvidence.RulesByName) async throws -> DayClock {
        guard let recorded = try await repository.recordedDays() else { return usual }
        let metrics = try await repository.recordedMetrics().sorted {
            ($0 == .steps) == ($1 == .steps) ? $0 < $1 : $0 == .steps
        }
        var starts: [CalendarDay: Instant] = [:]
        for metric in metrics.prefix(Self.mostMetrics) where starts.count < recorded.count {
            for progress in try await repository.dailyFigures(of: metric, days: recorded)
            where starts[progress.day] == nil {
                starts[progress.day] = progress.start
            }
        }
        return DayStarts(starts).clock(usual: usual, rules)
    }
}
