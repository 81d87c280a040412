// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// The forms in which lists that load their next page are published, on the main actor as a view controller is.
@Suite(.supervised) @MainActor struct PagingCallSites {
    /// The part of a table that matters here.
    @MainActor final class Table {
        private(set) var reloads: [Int] = []
        var rows: () -> Int = { 0 }

        func reloadData() { reloads.append(rows()) }
    }

    @MainActor final class ArticleListController {
        var data: [Article] = []
        var nextPageState = NextPageState<Int>()
        let tableView = Table()
        fileprivate let client: Client
        fileprivate var loads: [Task<Void, Never>] = []

        init(client: Client) {
            self.client = client
            tableView.rows = { [weak self] in self?.data.count ?? 0 }
        }

        func loadNext() {
            loadNext(view: tableView)
        }

        func loaded() async {
            await loads.popLast()?.value
        }
    }

    struct ArticlesPage: APIRequest {
        typealias Response = [Article]
        let number: Int

        var method: HTTPMethod { .get }
        var path: String { "/api/contents" }
        var parameters: Any? { ["filter[content_types][]": "article", "page[number]": number] }
    }

    @Test func aControllerLoadsPageBehindPage() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let controller = ArticleListController(client: Client(baseURL: server.baseURL))
        for _ in 0..<4 {
            controller.loadNext()
            controller.loadNext()
            await controller.loaded()
        }
        #expect(controller.data.count == 60)
        #expect(controller.tableView.reloads == [20, 40, 60])
        #expect(!controller.nextPageState.hasNext)
        #expect(server.journal.entries.count == 3)
        await server.stop()
    }

    @Test func aControllerThatFailedCanTryAgain() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let base = server.baseURL.appendingPathComponent("nowhere")
        let controller = ArticleListController(client: Client(baseURL: base))
        for _ in 0..<2 {
            controller.loadNext()
            await controller.loaded()
            #expect(!controller.nextPageState.isLoading)
        }
        #expect(server.journal.entries.map(\.status) == [404, 404])
        #expect(controller.tableView.reloads.isEmpty)
        await server.stop()
    }
}

extension PagingCallSites.Table: @MainActor ReloadableType {}

extension PagingCallSites.ArticleListController: @MainActor NextPageLoadable {
    func performLoad(
        successHandler: @escaping (_ rows: [Article], _ hasNext: Bool, _ lastId: Int?) -> Void,
        failHandler: @escaping () -> Void
    ) {
        let number = (nextPageState.lastId ?? 0) + 1
        let load = client.send(PagingCallSites.ArticlesPage(number: number)) { result in
            switch result {
            case .success(let articles): successHandler(articles, number < 3, number)
            case .failure: failHandler()
            }
        }
        loads.append(load)
    }
}
