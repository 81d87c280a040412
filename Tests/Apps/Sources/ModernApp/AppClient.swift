// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// The tokens of whoever is signed in; a refresh is asked for once for all who need it.
actor Tokens {
    private var session: Session?
    private var renewal: Task<String, any Error>?

    var token: String? { session?.token }

    func set(_ session: Session?) { self.session = session }

    /// The token after one that was refused.
    func renewed(
        after refused: String, by ask: @escaping @Sendable (_ refresh: String) async throws -> String
    ) async throws -> String {
        guard let session else { throw AppError.signedOut }
        if session.token != refused { return session.token }
        if let renewal { return try await renewal.value }
        let task = Task { try await ask(session.refresh) }
        renewal = task
        defer { renewal = nil }
        do {
            let token = try await task.value
            self.session?.token = token
            return token
        } catch {
            self.session = nil
            throw AppError.signedOut
        }
    }
}

/// Adds the token to each request, and sends again what was refused for an old one.
nonisolated struct Authorizing: Middleware {
    let tokens: Tokens
    let refresh: @Sendable (String) async throws -> String

    func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        guard let token = await tokens.token else { return try await next(request) }
        let response = try await next(Self.authorized(request, token))
        guard response.status == 401 else { return response }
        let renewed = try await tokens.renewed(after: token, by: refresh)
        return try await next(Self.authorized(request, renewed))
    }

    private static func authorized(_ request: URLRequest, _ token: String) -> URLRequest {
        var request = request
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}

/// A request of the app: method, path and content.
nonisolated struct Ask<Answer: Decodable & Sendable, Content: RequestBody & Sendable>: Request {
    typealias Output = Answer

    let url: URL
    let method: HTTPMethod
    var query: [URLQueryItem] = []
    var headers: [String: String] = [:]
    var body: Content?
}

/// The service, as the app's models see it.
nonisolated final class AppClient: Sendable {
    nonisolated private struct Refreshed: Decodable {
        let token: String
    }
    nonisolated private struct Told: Decodable {
        let message: String
    }
    nonisolated private struct Name: Encodable {
        let name: String
        let password: String
    }

    private let base: URL
    private let tokens = Tokens()
    private let networker: Networker
    /// Without a token, which signing in and refreshing have none of.
    private let open: Networker

    /// - Parameter pause: waits between attempts.
    init(base: URL, language: String = "en", pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }) {
        self.base = base
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let coders = Coders(decoder: decoder)
        let speaking = Intercept { request, next in
            var request = request
            request.setValue(language, forHTTPHeaderField: "Accept-Language")
            request.setValue("app/2.1", forHTTPHeaderField: "X-Client")
            return try await next(request)
        }
        let open = Networker(middlewares: [speaking], coders: coders)
        self.open = open
        let refresh: @Sendable (String) async throws -> String = { refresh in
            let ask = Ask<Refreshed, Form>(
                url: base.appendingPathComponent("token"), method: .post, body: Form(["refresh": refresh]))
            return try await open.value(for: ask).token
        }
        networker = Networker(
            middlewares: [
                RetryMiddleware(limit: 2, sleep: pause), speaking, Authorizing(tokens: tokens, refresh: refresh),
            ], coders: coders)
    }

    // MARK: Signing in

    func signIn(_ name: String, _ password: String) async throws(AppError) -> User {
        try await told {
            let ask = Ask<Session, JSON<Name>>(
                url: self.base.appendingPathComponent("login"), method: .post,
                body: JSON(Name(name: name, password: password)))
            let session = try await self.open.value(for: ask)
            await self.tokens.set(session)
            return session.user
        }
    }

    /// Forgets the tokens, whatever the service says.
    func signOut() async {
        _ = try? await data(.delete, "session")
        await tokens.set(nil)
    }

    var isSignedIn: Bool { get async { await tokens.token != nil } }

    // MARK: Articles

    /// - Parameter link: that of the page before; nil for the first.
    func articles(topic: String?, link: String?) async throws(AppError) -> ArticlePage {
        if let link {
            guard let url = URL(string: link, relativeTo: base), url.host == base.host else {
                throw .unreadable("next")
            }
            return try await value(.get, url.absoluteURL)
        }
        var query = [URLQueryItem(name: "size", value: "2")]
        if let topic { query.append(URLQueryItem(name: "topic", value: topic)) }
        return try await value(.get, base.appendingPathComponent("articles"), query)
    }

    func article(_ id: Int) async throws(AppError) -> Article {
        try await value(.get, base.appendingPathComponent("articles/\(id)"))
    }

    func search(_ text: String) async throws(AppError) -> [Article] {
        try await value(.get, base.appendingPathComponent("search"), [URLQueryItem(name: "q", value: text)])
    }

    func delete(_ id: Int) async throws(AppError) { _ = try await data(.delete, "articles/\(id)") }

    func setLiked(_ id: Int, _ isLiked: Bool) async throws(AppError) {
        _ = try await data(isLiked ? .put : .delete, "articles/\(id)/like")
    }

    /// - Parameter key: the same for each attempt to send one draft.
    func publish(_ draft: Draft, key: String) async throws(AppError) -> Article {
        try await told {
            let ask = Ask<Article, JSON<Draft>>(
                url: self.base.appendingPathComponent("articles"), method: .post, headers: ["Idempotency-Key": key],
                body: JSON(draft))
            return try await self.networker.value(for: ask)
        }
    }

    // MARK: Photos

    func upload(_ photo: Data, named name: String, type: String) async throws(AppError) -> Photo {
        try await told {
            let form = MultipartFormData(parts: [
                MultipartFormBodyPart(provider: .data(photo), name: "photo", fileName: name, mimeType: type),
                MultipartFormBodyPart(provider: .data(Data("\(photo.count)".utf8)), name: "size"),
            ])
            let ask = Ask<Photo, MultipartFormData>(
                url: self.base.appendingPathComponent("photos"), method: .post, body: form)
            return try await self.networker.value(for: ask)
        }
    }

    /// A picture, with what it is told apart by from a newer one.
    ///
    /// - Parameter tag: of the one that is there already.
    /// - Returns: nil where that is still the newest.
    func picture(_ path: String, tag: String?) async throws(AppError) -> (data: Data, tag: String?)? {
        try await told {
            let ask = Ask<Data, Data>(
                url: self.base.appendingPathComponent(path), method: .get,
                headers: tag.map { ["If-None-Match": $0] } ?? [:])
            let response = try await self.networker.response(for: ask)
            if response.status == 304 { return nil }
            guard response.status == 200 else {
                throw ResponseError(method: .get, url: ask.url, response: response)
            }
            return (response.data, response.http.value(forHTTPHeaderField: "ETag"))
        }
    }

    // MARK: What all have in common

    private func value<Output: Decodable & Sendable>(
        _ method: HTTPMethod, _ url: URL, _ query: [URLQueryItem] = []
    ) async throws(AppError) -> Output {
        try await told {
            try await self.networker.value(
                for: Ask<Output, Data>(url: url, method: method, query: query))
        }
    }

    private func data(_ method: HTTPMethod, _ path: String) async throws(AppError) -> Data {
        try await told {
            let ask = Ask<Data, Data>(url: self.base.appendingPathComponent(path), method: method)
            return try await self.networker.data(for: ask)
        }
    }

    /// What `ask` gives, its errors in the app's words.
    private func told<Value>(_ ask: () async throws -> Value) async throws(AppError) -> Value {
        do { return try await ask() } catch { throw Self.appError(error) }
    }

    private static func appError(_ error: any Error) -> AppError {
        switch error {
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
