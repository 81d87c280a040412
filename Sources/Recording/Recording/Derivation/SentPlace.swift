// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A place of a request whose value its stub does not ask for, unless it tells the request from another with another response.
enum SentPlace: Hashable, Sendable {
    /// The name in lower case.
    case header(String)
    case cookie(String)
    /// A parameter of the query that is matched as present.
    case parameter(String)
    /// The order of the values of a repeated parameter.
    case order(String)
    /// A field of a form that is matched as present, by its name as it was sent.
    case field(String)
    /// The order of the values of a repeated field, by its name as it was sent.
    case fieldOrder(String)
    /// A member of JSON that is matched as anything of its type.
    case member(JSONPlace)
    /// The content of a part of a multipart body that is not text, by the part's name.
    case part(String)
    /// The order of the parts of a multipart body.
    case parts
    /// The content as it was sent.
    case content
    /// The target as it was sent.
    case target

    /// The text that stands in `recorded.by`, and in reports.
    var text: String {
        switch self {
        case .header(let name): "header:\(name)"
        case .cookie(let name): "cookie:\(name)"
        case .parameter(let name): "query:\(name)"
        case .order(let name): "order of query:\(name)"
        case .field(let name): "form:\(name)"
        case .fieldOrder(let name): "order of form:\(name)"
        case .member(let place): place.path
        case .part(let name): "part:\(name)"
        case .parts: "order of parts"
        case .content: "content"
        case .target: "target"
        }
    }

    /// - Returns: nil if the text does not name a place.
    init?(_ text: String) {
        switch text {
        case "order of parts": self = .parts
        case "content": self = .content
        case "target": self = .target
        case _ where text.hasPrefix("$"):
            guard let place = JSONPlace(ofMember: text) else { return nil }
            self = .member(place)
        default:
            let kinds: [(String, (String) -> SentPlace)] = [
                ("header:", SentPlace.header), ("cookie:", SentPlace.cookie), ("query:", SentPlace.parameter),
                ("order of query:", SentPlace.order), ("form:", SentPlace.field),
                ("order of form:", SentPlace.fieldOrder), ("part:", SentPlace.part),
            ]
            guard let kind = kinds.first(where: { text.hasPrefix($0.0) }) else { return nil }
            self = kind.1(String(text.dropFirst(kind.0.count)))
        }
    }

    /// Whether its values are a part of each request that has them.
    func isMatched(_ values: [SentValue]) -> Bool {
        switch self {
        case .header(let name): RequestHeaders.isMatched(name)
        case .order, .fieldOrder: Set(values).count < values.count
        case .cookie, .parameter, .field, .member, .part, .parts, .content, .target: false
        }
    }

    /// How soon a place is thought to have decided about a response: the lowest first.
    enum Rank: Int, Comparable {
        /// The service says so (RFC 9110 §12.5.5).
        case named
        /// It names the operation, the version, the account or the form that is asked for.
        case selecting
        /// It is of the target or of the content.
        case own
        /// It may stand for anything.
        case other
        /// Its value looks like no other: an id, a time, a signature.
        case random
        /// It identifies the sender, says where it is, or stands for all values together.
        case last

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// - Parameters:
    ///   - vary: the names that responses give in Vary, in lower case.
    ///   - areRandom: whether the values look like no two others.
    func rank(vary: Set<String>, areRandom: Bool) -> Rank {
        switch self {
        case .header(let name):
            if vary.contains(name) { return .named }
            if RequestHeaders.selects(name) { return .selecting }
            return RequestHeaders.tellsOfClient(name) ? .last : areRandom ? .random : .other
        case .cookie: return vary.contains("cookie") ? .named : areRandom ? .random : .other
        case .content, .target: return .last
        case .parameter, .order, .field, .fieldOrder, .member, .part, .parts: return .own
        }
    }
}
