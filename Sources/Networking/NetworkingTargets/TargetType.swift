// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

/// One endpoint of a service, or an enumeration of them: its URL, its content, its sample for tests.
///
///     enum NewsService: TargetType {
///         case page(Int), article(id: String)
///     }
///
/// A `Provider` sends it.
public protocol TargetType: Sendable {
    /// The URL below which the path stands.
    var baseURL: URL { get }
    /// The path that is appended to the base as path components: a `?` in it becomes `%3F`. An empty one leaves the
    /// base as it is.
    var path: String { get }
    /// The method.
    var method: HTTPMethod { get }
    /// The content of the response that a stub gives; it is asked for when the stub responds, and an error it throws is
    /// the request's error.
    ///
    ///     var sampleData: Data {
    ///         get throws { try .fixture("api/domains.json", in: fixtures) }
    ///     }
    var sampleData: Data { get throws }
    /// The content that is sent, and how.
    var task: Endpoint.Task { get }
    /// The statuses that are a success.
    var validationType: ValidationType { get }
    /// The field lines of the request; those of a task (a content type) are added if they are not here.
    var headers: [String: String]? { get }
}

extension TargetType {
    public var sampleData: Data { Data() }
    public var validationType: ValidationType { .none }
}

extension URL {
    /// The base of a target with its path after it.
    public init(target: some TargetType) {
        self = target.path.isEmpty ? target.baseURL : target.baseURL.appendingPathComponent(target.path)
    }
}

/// Which statuses a target takes for a success.
public enum ValidationType: Hashable, Sendable {
    /// Whatever comes.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// These statuses.
    case customCodes([Int])

    /// The statuses; empty if all are taken.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Array(200..<300)
        case .successAndRedirectCodes: Array(200..<400)
        case .customCodes(let codes): codes
        }
    }

    func accepts(_ status: Int) -> Bool {
        statusCodes.isEmpty || statusCodes.contains(status)
    }
}

/// Any target, for a provider of many kinds.
///
///     let provider = Provider<MultiTarget>()
///     let response = try await provider.request(MultiTarget(NewsService.page(1)))
public enum MultiTarget: TargetType {
    /// The target that stands behind it.
    case target(any TargetType)

    /// Wraps a target.
    public init(_ target: any TargetType) {
        self = .target(target)
    }

    /// The target inside, however deep.
    public var target: any TargetType {
        switch self {
        case .target(let target): (target as? MultiTarget)?.target ?? target
        }
    }

    /// That of the target.
    public var baseURL: URL { target.baseURL }
    public var path: String { target.path }
    /// That of the target.
    public var method: HTTPMethod { target.method }
    public var sampleData: Data { get throws { try target.sampleData } }
    public var task: Endpoint.Task { target.task }
    public var validationType: ValidationType { target.validationType }
    public var headers: [String: String]? { target.headers }
}

extension Data {
    /// The bytes of a file of a fixture directory, as sample data.
    ///
    /// - Parameters:
    ///   - path: of the file, in the directory; it may not lead out of it.
    ///   - directory: a file URL; a relative one is of the working directory.
    /// - Throws: `RequestError.sample`.
    public static func fixture(_ path: String, in directory: URL) throws(RequestError) -> Data {
        guard directory.isFileURL else {
            throw .sample(path: path, "the directory of samples is a file URL, and \(directory) is not")
        }
        let root = directory.absoluteURL.standardizedFileURL
        let file = root.appendingPathComponent(path).standardizedFileURL
        guard file.pathComponents.starts(with: root.pathComponents), file.path != root.path else {
            throw .sample(
                path: path, "a sample file is inside of its directory, \(root.path), and \(file.path) is not")
        }
        do {
            return try Data(contentsOf: file)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            throw .sample(
                path: path,
                isThere
                    ? "the sample file \(file.path) cannot be read: \(error)" : "there is no sample file \(file.path)")
        }
    }
}
