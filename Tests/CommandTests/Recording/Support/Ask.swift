// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A request of a round trip.
struct Ask: Sendable {
    var method = "GET"
    /// The raw path and query.
    var target: String
    /// Header lines beside those that the client has of its own.
    var fields: [String] = []
    var body: [UInt8]?

    init(_ target: String, _ fields: [String] = []) {
        self.target = target
        self.fields = fields
    }

    init(_ method: String, _ target: String, _ type: String? = nil, _ body: String? = nil) {
        self.init(method, target, type, body.map { Array($0.utf8) })
    }

    init(_ method: String, _ target: String, _ type: String?, _ body: [UInt8]?) {
        self.method = method
        self.target = target
        fields = type.map { ["Content-Type: \($0)"] } ?? []
        self.body = body
    }

    var label: String { "\(method) \(target)" }
    /// Whether a client that tidies URLs would ask for another.
    var isOdd: Bool {
        target.contains { "[]|^".contains($0) } || target.contains("//") || target.contains("/.")
            || target.hasSuffix("%")
    }
}
