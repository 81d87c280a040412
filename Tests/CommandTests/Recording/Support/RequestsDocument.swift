// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiWireSupport

/// A file for `record --requests`.
struct RequestsDocument {
    private let directory: TemporaryDirectory
    var path: String { "\(directory.path)/requests.json" }

    /// - Parameter base: in front of each path, so that `//a` is a path too.
    init(_ asks: [Ask], base: String = "") throws {
        directory = try TemporaryDirectory()
        let nodes = try asks.enumerated().map { [directory] index, ask in
            var members: [JSONObject.Member] = [
                .init(name: "method", value: .string(ask.method)),
                .init(name: "path", value: .string(base + ask.target)),
                .init(name: "headers", value: .array(ask.fields.map { .string($0) })),
            ]
            if let body = ask.body {
                try directory.write("\(index).content", body)
                members.append(.init(name: "bodyFile", value: .string("\(index).content")))
            }
            return JSONNode(.object(JSONObject(members)))
        }
        try directory.write("requests.json", JSONWriter.pretty(.array(nodes)))
    }
}
