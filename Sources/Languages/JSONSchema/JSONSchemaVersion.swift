// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The drafts of JSON Schema, in their order.
package enum JSONSchemaVersion: Int, CaseIterable, Comparable, Sendable {
    case draft4, draft6, draft7, draft2019, draft2020

    /// The draft of a name such as `V4`, `V201909` or `V202012`.
    package init?(name: String) {
        switch name {
        case "V4": self = .draft4
        case "V6": self = .draft6
        case "V7": self = .draft7
        case "V201909": self = .draft2019
        case "V202012": self = .draft2020
        default: return nil
        }
    }

    package static func < (left: JSONSchemaVersion, right: JSONSchemaVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The URI of the draft's metaschema, without a fragment.
    var metaschema: String {
        switch self {
        case .draft4: "http://json-schema.org/draft-04/schema"
        case .draft6: "http://json-schema.org/draft-06/schema"
        case .draft7: "http://json-schema.org/draft-07/schema"
        case .draft2019: "https://json-schema.org/draft/2019-09/schema"
        case .draft2020: "https://json-schema.org/draft/2020-12/schema"
        }
    }

    /// The draft whose metaschema a URI names, with either scheme and with or without an empty fragment.
    init?(metaschema uri: String) {
        var uri = uri[...]
        if uri.hasSuffix("#") { uri = uri.dropLast() }
        func rest(_ uri: Substring) -> Substring {
            if uri.hasPrefix("https://") { return uri.dropFirst(8) }
            return uri.hasPrefix("http://") ? uri.dropFirst(7) : uri
        }
        guard let version = Self.allCases.first(where: { rest($0.metaschema[...]) == rest(uri) }) else { return nil }
        self = version
    }
}
