// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// The forms of onevcat's talk on protocols: a request of a path, a response that is read from data, a sender with a host, and in its
/// place one that reads files.
@Suite(.supervised) struct TalkCallSites {
    /// A response that reads itself from data, as the talk has it before Swift had `Decodable`.
    struct User: URLSessionDecodable, Equatable {
        let name: String
        let message: String

        init(from output: Data) throws {
            let object = try JSONSerialization.jsonObject(with: output) as? [String: String]
            guard let name = object?["name"], let message = object?["message"] else {
                throw ResponseError.unexpectedObject(output)
            }
            self.name = name
            self.message = message
        }
    }

    struct UserRequest: APIRequest {
        let name: String
        var path: String { return "/users/\(name)" }
        let method: HTTPMethod = .get
        typealias Response = User
    }

    @MainActor final class UserViewController {
        private(set) var label = ""

        func load(with client: Client) -> Task<Void, Never> {
            client.send(UserRequest(name: "onevcat")) { user in
                if let user {
                    self.label = "\(user.message) from \(user.name)"
                }
            }
        }
    }

    @Test @MainActor func aSenderWithAHostHandsTheResponseOver() async throws {
        let fixtures = try TemporaryDirectory([
            "users/onevcat.json": #"{"name": "onevcat", "message": "Welcome"}"#
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let viewController = UserViewController()
        await viewController.load(with: Client(baseURL: server.baseURL)).value
        #expect(viewController.label == "Welcome from onevcat")
        await server.stop()
    }

    /// Answers from files that are named by the path, with `:` for `/`.
    struct FileNetworking: Networking {
        let folder: String
        var delegate: (any NetworkingDelegate)? {
            get { nil }
            set {}
        }

        func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
            let name = request.url.path.dropFirst().replacingOccurrences(of: "/", with: ":")
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                return Fail(error: URLError(.fileDoesNotExist)).eraseToAnyPublisher()
            }
            return Just(data).setFailureType(to: URLError.self).eraseToAnyPublisher()
        }
    }

    @Test func theSameRequestIsAnsweredByAFile() async throws {
        let files = try TemporaryDirectory(["users:onevcat": #"{"name": "onevcat", "message": "From a file"}"#])
        let host = try #require(URL(string: "http://api.example.com"))
        let client = Client(networking: FileNetworking(folder: files.path), baseURL: host)
        #expect(try await client.send(UserRequest(name: "onevcat")).message == "From a file")

        let error = await #expect(throws: ClientError.self) { try await client.send(UserRequest(name: "nobody")) }
        #expect((error?.underlying as? URLError)?.code == .fileDoesNotExist)
    }
}
