// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// Names as the origins have them.
@Suite(.supervised) struct OriginNames {
    // MARK: A page as a value, as the paging talk has it

    struct Channel: Decodable, Equatable {
        let id: Int
    }

    struct ChannelsRequest: APIRequest {
        typealias Response = Pagination<Channel>
        let lastID: Int
        var method: HTTPMethod { .get }
        var path: String { "/channels" }
        var parameters: [String: Int] { ["last": lastID] }
    }

    @Test func aPageIsAValue() async throws {
        let service = try await Service([
            "c.stub.json":
                #"{"request": {"urlPath": "/channels"}, "response": {"jsonBody": {"items": [{"id": 1}, {"id": 2}], "hasNext": true}}}"#
        ])
        let page = try await Client(baseURL: service.server.baseURL).send(ChannelsRequest(lastID: 0))
        #expect(page == Pagination(items: [Channel(id: 1), Channel(id: 2)], hasNext: true))
        #expect(service.targets == ["GET /channels?last=0"])
        await service.stop()
    }

    @Test func aListIsRefreshedByItsFirstPage() async throws {
        let service = try await Service([
            "1.stub.json": #"""
            {"request": {"urlPath": "/1"}, "responses": [
              {"jsonBody": {"data": [1], "links": {"next": "/2"}}}, {"jsonBody": {"data": [10], "links": {"next": "/2"}}},
              {"status": 500}]}
            """#,
            "2.stub.json": #"{"request": {"urlPath": "/2"}, "response": {"jsonBody": {"data": [2]}}}"#,
        ])
        let list = PagedList(NumbersPage(url: service.url("/1")), networking: Networker())
        for try await _ in list.remainingPages {}
        #expect(list.state.elements == [1, 2])
        #expect(!list.state.hasNext)
        #expect(try await list.refresh() == [10])
        #expect(list.state.elements == [10])
        #expect(list.state.hasNext)
        try await list.loadNext()
        #expect(list.state.elements == [10, 2])
        // A refresh that fails leaves what is there.
        await #expect(throws: ResponseError.self) { try await list.refresh() }
        #expect(list.state.elements == [10, 2])
        #expect(list.state.failure is ResponseError)
        #expect(!list.state.isLoading)
        await service.stop()
    }

    final class Rows: NextPageLoadable, ReloadableType {
        var data: [Int] = []
        var nextPageState = NextPageState<Int>()
        var reloads = 0
        var answers: [[Int]] = [[1], [2], [10]]

        func performLoad(
            successHandler: @escaping (_ rows: [Int], _ hasNext: Bool, _ lastId: Int?) -> Void,
            failHandler: @escaping () -> Void
        ) {
            let rows = answers.removeFirst()
            successHandler(rows, true, rows.last)
        }

        func reloadData() { reloads += 1 }
    }

    @Test func rowsAreReplacedByARefresh() {
        let rows = Rows()
        rows.loadNext(view: rows)
        rows.loadNext(view: rows)
        #expect(rows.data == [1, 2])
        rows.refresh(view: rows)
        #expect(rows.data == [10])
        #expect(rows.nextPageState.lastId == 10)
        #expect(rows.reloads == 3)
    }

    // MARK: A provider behind a protocol, as Moya has it

    private struct Canned: ProviderType {
        typealias Target = AnyTarget

        func request(
            _ target: AnyTarget, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
            completion: @escaping @Sendable (Result<Endpoint.Response, ProviderError>) -> Void
        ) -> CancellableRequest {
            completion(.success(Endpoint.Response(statusCode: 200, data: Data(target.path.utf8))))
            return CancellableRequest()
        }
    }

    @Test func aProviderIsAskedForByItsProtocol() async throws {
        func path(_ provider: some ProviderType<AnyTarget>, _ target: AnyTarget) async throws -> String {
            try await provider.request(target).mapString()
        }
        var target = AnyTarget.unsent
        target.path = "news"
        target.sample = Data("sample".utf8)
        #expect(try await path(Canned(), target) == "news")
        let stubbed = Provider<AnyTarget>(stubClosure: Provider.immediatelyStub)
        #expect(try await path(stubbed, target) == "sample")
    }

    @Test func anEndpointNeedsNoFields() throws {
        let endpoint = Endpoint(
            url: "http://host.example/x", sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get,
            task: .requestPlain)
        #expect(endpoint.httpHeaderFields == nil)
    }

    // MARK: A fake that answers at once

    struct Fake_MealService: Gettable {
        func get(completionHandler: @escaping @Sendable (Result<[String], any Error>) -> Void) {
            completionHandler(.success(["Dal", "Naan"]))
        }
    }

    struct AwaitedFake: Gettable {
        func get() async throws -> [String] { ["Dal"] }
    }

    struct Nothing: Gettable {
        typealias Value = [String]
    }

    @MainActor final class MealViewController {
        var dataSource: [String] = []

        func getMeals<S: Gettable>(fromService service: S) where S.Value == [String] {
            service.get { [weak self] result in self?.dataSource = (try? result.get()) ?? [] }
        }
    }

    @Test @MainActor func aTestLooksRightAfterTheCall() {
        let viewController = MealViewController()
        viewController.getMeals(fromService: Fake_MealService())
        #expect(viewController.dataSource.count == 2)
    }

    @Test func aServiceIsWhatEitherOfItsFunctionsSays() async throws {
        #expect(try await Fake_MealService().get() == ["Dal", "Naan"])
        #expect(try await AwaitedFake().get() == ["Dal"])
        let error = await #expect(throws: URLError.self) { try await Nothing().get() }
        #expect(
            error?.localizedDescription
                == "neither the asynchronous function nor that with a completion handler is implemented")
    }

    // MARK: One name, one meaning

    @Test func anyRequestGivesData() async throws {
        let networking: any Networking = Networker { _ in Data("x".utf8) }
        let request: any Request = ArticleRequest(base: try #require(URL(string: "http://host.example")))
        let publisher = networking.fetch(request)
        let data = try await publisher.firstValue()
        #expect(data == Data("x".utf8))
        #expect(try await networking.data(for: request) == data)
    }
}
