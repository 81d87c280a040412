// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A place in a response, or several: of its JSON, its status, or a header line.
package enum ResponsePlace: Hashable, Sendable {
    case body(JSONPlace)
    case status
    /// The name in lower case.
    case header(String)

    /// - Parameter text: a JSON pointer or path, `status`, or `header:NAME`; nil is returned for any other text.
    package init?(named text: String) {
        if text == "status" {
            self = .status
        } else if text.hasPrefix("header:") {
            self = .header(text.dropFirst(7).lowercased())
        } else if text.isEmpty || text.hasPrefix("/") {
            self = .body(JSONPlace(pointer: text))
        } else {
            guard let place = try? JSONPlace(text) else { return nil }
            self = .body(place)
        }
    }

    /// As findings have it, a place of the body as a pointer.
    package var text: String {
        switch self {
        case .body(let place): place.pointer
        case .status: "status"
        case .header(let name): "header:\(name)"
        }
    }

    var body: JSONPlace? {
        if case .body(let place) = self { place } else { nil }
    }

    /// Whether a place is this one, or one of these.
    func matches(_ other: ResponsePlace?) -> Bool { stands(to: other) { $0.matches($1) } }

    /// Whether a place is this one or stands in it.
    func contains(_ other: ResponsePlace?) -> Bool { stands(to: other) { $0.contains($1) } }

    /// Whether this place is the other one or stands in it.
    func isWithin(_ other: ResponsePlace?) -> Bool { stands(to: other) { $0.isWithin($1) } }

    private func stands(to other: ResponsePlace?, _ relation: (JSONPlace, JSONPlace) -> Bool) -> Bool {
        if let body, let other = other?.body { relation(body, other) } else { self == other }
    }
}
