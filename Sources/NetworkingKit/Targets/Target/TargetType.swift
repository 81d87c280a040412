// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// One endpoint of a service, or an enumeration of them: where it is, what it is sent, what it answers in a test.
///
///     enum NewsService: TargetType {
///         case page(Int), article(id: String)
///     }
///
/// A `Provider` sends it.
public protocol TargetType: Sendable {
    var baseURL: URL { get }
    /// What is appended to the base as path components: a `?` in it becomes `%3F`. An empty one leaves the base as it is.
    var path: String { get }
    var method: HTTPMethod { get }
    /// The content of the answer that a stub gives; it is asked for when the stub answers, and what it throws is the request's error.
    ///
    ///     var sampleData: Data {
    ///         get throws { try .fixture("api/domains.json", in: fixtures) }
    ///     }
    var sampleData: Data { get throws }
    /// What is sent, and how.
    var task: Endpoint.Task { get }
    /// The statuses that are a success.
    var validationType: ValidationType { get }
    /// The field lines of the request; those of a task (a content type) are added where they are not here.
    var headers: [String: String]? { get }
}

extension TargetType {
    public var sampleData: Data { Data() }
    public var validationType: ValidationType { .none }
}

extension URL {
    /// The base of a target with its path behind it.
    public init(target: some TargetType) {
        self = target.path.isEmpty ? target.baseURL : target.baseURL.appendingPathComponent(target.path)
    }
}
