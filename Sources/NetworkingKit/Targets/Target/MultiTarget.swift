// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Any target, for a provider of many kinds.
///
///     let provider = Provider<MultiTarget>()
///     let response = try await provider.request(MultiTarget(NewsService.page(1)))
public enum MultiTarget: TargetType {
    case target(any TargetType)

    public init(_ target: any TargetType) {
        self = .target(target)
    }

    /// The target inside, however deep.
    public var target: any TargetType {
        switch self {
        case .target(let target): (target as? MultiTarget)?.target ?? target
        }
    }

    public var baseURL: URL { target.baseURL }
    public var path: String { target.path }
    public var method: HTTPMethod { target.method }
    public var sampleData: Data { get throws { try target.sampleData } }
    public var task: Endpoint.Task { target.task }
    public var validationType: ValidationType { target.validationType }
    public var headers: [String: String]? { target.headers }
}
