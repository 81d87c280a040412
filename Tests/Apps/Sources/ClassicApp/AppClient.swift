// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

// The requests of the app, each a type that says where it goes and what it carries.

private struct LoginRequest: APIRequest {
    typealias Response = Session
    let name: String
    let password: String
    var method: HTTPMethod { .post }
    var path: String { "/login" }
    var parameters: Any? { ["name": name, "password": password] }
}

private struct RefreshRequest: APIRequest {
    struct Response: Decodable {
        let token: String
    }
    let refresh: String
    var method: HTTPMethod { .post }
    var path: String { "/token" }
    var bodyParameters: (any BodyParameters)? { FormURLEncodedBodyParameters(formObject: ["refresh": refresh]) }
}

private struct ArticlesRequest: APIRequest {
    typealias Response = ArticlePage
    let topic: String?
    var method: HTTPMethod { .get }
    var path: String { "/articles" }
    var parameters: Any? { ["size": "2", "topic": topic] as [String: Any?] }
}

private struct ArticleRequest: APIRequest {
    typealias Response = Article
    let id: Int
    var method: HTTPMethod { .get }
    var path: String { "/articles/\(id)" }
}

private struct SearchRequest: APIRequest {
    typealias Response = [Article]
    let text: String
    var method: HTTPMethod { .get }
    var path: String { "/search" }
    var parameters: Any? { ["q": text] }
}

private struct ChangeRequest: APIRequest {
    typealias Response = Void
    let method: HTTPMethod
    let path: String
}

private struct PublishRequest: APIRequest {
    typealias Response = Article
    let draft: Draft
    let key: String
    var method: HTTPMethod { .post }
    var path: String { "/articles" }
    var parameters: Any? { draft }
    var headerFields: [String: String] { ["Idempotency-Key": key] }
}

/// What is asked for by a link.
private struct Linked<Answer: Decodable>: Request {
    typealias Output = Answer

    let url: URL
    let method = HTTPMethod.get
    var headers: [String: String] = [:]
}

private struct PhotoRequest: Request {
    typealias Output = Photo
    let url: URL
    let body: MultipartFormData
    let method = HTTPMethod.post
}

/// Says with each request which app it is, and in what language its user reads.
private final class Introduction: NetworkingDelegate {
    private let language: String

    init(language: String) { self.language = language }

    func headers(for networking: any Networking) -> [String: String] {
        ["Accept-Language": language, "X-Client": "app/2.1"]
    }
}

/// The tokens of whoever is signed in; a refresh is asked for once for all who need it.
///
/// `@unchecked Sendable`: its variables are read and set under `lock` alone.
final class TokenStore: Middleware, @unchecked Sendable {
    private let lock = NSLock()
    private var session: Session?
    private var renewal: Task<String, Error>?
    private let refresh: @Sendable (String) async throws -> String

    init(refresh: @escaping @Sendable (String) async throws -> String) { self.refresh = refresh }

    var token: String? { lock.withLock { session?.token } }

    func set(_ session: Session?) { lock.withLock { self.session = session } }

    func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        guard let token = token else { return try await next(request) }
        let response = try await next(Self.authorized(request, token))
        guard response.status == 401 else { return response }
        let renewed = try await self.renewed(after: token)
        return try await next(Self.authorized(request, renewed))
    }

    private static func authorized(_ request: URLRequest, _ token: String) -> URLRequest {
        var request = request
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }

    private func renewed(after refused: String) async throws -> String {
        let running = try lock.withLock { () -> Task<String, Error> in
            guard let session = session else { throw AppError.signedOut }
            if session.token != refused { return Task { session.token } }
            if let renewal = renewal { return renewal }
            let task = Task { try await self.refresh(session.refresh) }
            renewal = task
            return task
        }
        let result = await running.result
        return try lock.withLock {
            if renewal == running { renewal = nil }
            switch result {
            case .success(let token):
                session?.token = token
                return token
            case .failure:
                session = nil
                throw AppError.signedOut
            }
        }
    }
}

/// The service, as the app's models see it.
final class AppClient {
    private struct Told: Decodable {
        let message: String
    }

    private let base: URL
    private let tokens: TokenStore
    private let networker: Networker
    private let client: Client
    /// Without a token, which signing in and refreshing have none of.
    private let open: Client
    private let introduction: Introduction

    /// - Parameter pause: waits between attempts.
    init(base: URL, language: String = "en", pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }) {
        self.base = base
        introduction = Introduction(language: language)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let coders = Coders(decoder: decoder)
        let plain = Networker(coders: coders)
        plain.delegate = introduction
        let open = Client(networking: plain, baseURL: base)
        self.open = open
        tokens = TokenStore { try await open.send(RefreshRequest(refresh: $0)).token }
        networker = Networker(middlewares: [RetryMiddleware(limit: 2, sleep: pause), tokens], coders: coders)
        networker.delegate = introduction
        client = Client(networking: networker, baseURL: base)
    }

    // MARK: Signing in

    func signIn(_ name: String, _ password: String) async throws -> User {
        try await told {
            let session = try await open.send(LoginRequest(name: name, password: password))
            tokens.set(session)
            return session.user
        }
    }

    /// Forgets the tokens, whatever the service says.
    func signOut() async {
        _ = try? await client.send(ChangeRequest(method: .delete, path: "/session"))
        tokens.set(nil)
    }

    var isSignedIn: Bool { get async { tokens.token != nil } }

    // MARK: Articles

    /// - Parameter link: that of the page before; nil for the first.
    func articles(topic: String?, link: String?) async throws -> ArticlePage {
        try await told {
            guard let link = link else { return try await client.send(ArticlesRequest(topic: topic)) }
            guard let url = URL(string: link, relativeTo: base), url.host == base.host else {
                throw AppError.unreadable("next")
            }
            return try await networker.value(for: Linked<ArticlePage>(url: url.absoluteURL))
        }
    }

    func article(_ id: Int) async throws -> Article { try await told { try await client.send(ArticleRequest(id: id)) } }

    func search(_ text: String) async throws -> [Article] {
        try await told { try await client.send(SearchRequest(text: text)) }
    }

    func delete(_ id: Int) async throws {
        try await told { try await client.send(ChangeRequest(method: .delete, path: "/articles/\(id)")) }
    }

    func setLiked(_ id: Int, _ isLiked: Bool) async throws {
        let change = ChangeRequest(method: isLiked ? .put : .delete, path: "/articles/\(id)/like")
        try await told { try await client.send(change) }
    }

    /// - Parameter key: the same for each attempt to send one draft.
    func publish(_ draft: Draft, key: String) async throws -> Article {
        try await told { try await client.send(PublishRequest(draft: draft, key: key)) }
    }

    // MARK: Photos

    func upload(_ photo: Data, named name: String, type: String) async throws -> Photo {
        let form = MultipartFormData(parts: [
            MultipartFormBodyPart(provider: .data(photo), name: "photo", fileName: name, mimeType: type),
            MultipartFormBodyPart(provider: .data(Data("\(photo.count)".utf8)), name: "size"),
        ])
        return try await told {
            try await networker.value(for: PhotoRequest(url: base.appendingPathComponent("photos"), body: form))
        }
    }

    /// A picture, with what it is told apart by from a newer one.
    ///
    /// - Parameter tag: of the one that is there already.
    /// - Returns: nil where that is still the newest.
    func picture(_ path: String, tag: String?) async throws -> (data: Data, tag: String?)? {
        try await told {
            let url = base.appendingPathComponent(path)
            let ask = Linked<Data>(url: url, headers: tag.map { ["If-None-Match": $0] } ?? [:])
            let response = try await networker.response(for: ask)
            if response.status == 304 { return nil }
            guard response.status == 200 else { throw ResponseError(method: .get, url: url, response: response) }
            return (response.data, response.http.value(forHTTPHeaderField: "ETag"))
        }
    }

    // MARK: What all have in common

    /// What `ask` gives, its errors in the app's words.
    private func told<Value>(_ ask: () async throws -> Value) async throws -> Value {
        do { return try await ask() } catch { throw Self.appError(error) }
    }

    private static func appError(_ error: Error) -> AppError {
        switch (error as? ClientError)?.underlying ?? error {
        case let error as AppError: return error
        case let error as ResponseError where error.isStatus:
            switch error.status {
            case 401: return .signedOut
            case 404, 410: return .missing
            case 413: return .tooLarge
            case 429: return .tooMany
            case 400, 403, 422:
                let told = try? JSONDecoder().decode(Told.self, from: error.body)
                return .refused(told?.message ?? "The service refused this.")
            default: return .failed(error.status)
            }
        case let error as ResponseError:
            let place = error.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return .unreadable(place.isEmpty ? "the top" : place.joined(separator: "."))
        case let error as URLError: return error.code == .cancelled ? .cancelled : .offline
        case is CancellationError: return .cancelled
        default: return .failed(0)
        }
    }
}
