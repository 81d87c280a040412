// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// The response to a request, whatever its status.
public struct DataResponse: Sendable {
    /// The content, its coding undone; empty where it went to a file.
    public let data: Data
    /// Status and fields.
    public let http: HTTPURLResponse
    /// Where the content of a download was put; the file is the receiver's to move or remove.
    public let file: URL?

    public init(data: Data, http: HTTPURLResponse, file: URL? = nil) {
        self.data = data
        self.http = http
        self.file = file
    }

    public var status: Int { http.statusCode }

    /// The fields by name; Foundation has joined those that came more than once.
    public var headers: [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in http.allHeaderFields { headers["\(name)"] = "\(value)" }
        return headers
    }
}
