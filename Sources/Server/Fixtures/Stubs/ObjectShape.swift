// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The objects of a stub file.
enum ObjectShape: String, CaseIterable, Sendable {
    case stubList
    case mappingList
    case stub
    case request
    case response
    case delayDistribution
    case chunkedDribbleDelay
    case faultRule
    case delayRule
    case ruleCondition
    case authentication
    case bearer
    case basic
    case digest
    case oauth2
    case rateLimit
    case serveEventListener
    case webhook
    case retry
    case recorded
    case sent
    case resource
    case volatile
    case contractPart
    case credentials
    case matcher
    case multiMatcher
    case bodyMatcher
    case multipart
    case expression

    /// The words for the expected value in messages.
    var expectation: String {
        switch self {
        case .matcher, .multiMatcher, .bodyMatcher: "a matcher such as {\"equalTo\": \"…\"}"
        case .expression: "an object such as {\"expression\": \"…\", \"equalTo\": \"…\"}"
        case .credentials, .basic, .digest: "an object such as {\"username\": \"…\", \"password\": \"…\"}"
        default: "an object"
        }
    }

    /// The keys in the order that people write them.
    var keys: [ObjectKey] { Self.tables[self] ?? [] }

    func key(_ name: String) -> ObjectKey? { Self.index[self]?[name] }

    private static let tables: [ObjectShape: [ObjectKey]] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, $0.table) })

    private static let index: [ObjectShape: [String: ObjectKey]] = tables.mapValues { keys in
        Dictionary(keys.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private var table: [ObjectKey] {
        switch self {
        case .stubList: ObjectKey.common + ObjectKey.stubList
        case .mappingList: ObjectKey.common + ObjectKey.mappingList
        case .stub: ObjectKey.common + ObjectKey.stub + ObjectKey.access + ObjectKey.listeners
        case .request: ObjectKey.request
        case .response: ObjectKey.response + ObjectKey.delivery + ObjectKey.rules
        case .delayDistribution: ObjectKey.delayDistribution
        case .chunkedDribbleDelay: ObjectKey.chunkedDribbleDelay
        case .faultRule: ObjectKey.faultRule
        case .delayRule: ObjectKey.delayRule
        case .ruleCondition: ObjectKey.ruleCondition
        case .authentication: ObjectKey.authentication
        case .bearer: ObjectKey.bearer
        case .basic: ObjectKey.basic
        case .digest: ObjectKey.digest
        case .oauth2: ObjectKey.oauth2
        case .rateLimit: ObjectKey.rateLimit
        case .serveEventListener: ObjectKey.serveEventListener
        case .webhook: ObjectKey.webhook
        case .retry: ObjectKey.retry
        case .recorded: ObjectKey.recorded
        case .sent: ObjectKey.sent
        case .resource: ObjectKey.resource
        case .volatile: ObjectKey.volatile
        case .contractPart: ObjectKey.contractPart
        case .credentials: ObjectKey.credentials
        case .matcher: ObjectKey.matcher
        case .multiMatcher: ObjectKey.matcher + ObjectKey.multiMatcher
        case .bodyMatcher: ObjectKey.matcher + ObjectKey.bodyMatcher
        case .multipart: ObjectKey.multipart
        case .expression: ObjectKey.expression + ObjectKey.matcher
        }
    }
}
