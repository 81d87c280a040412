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

    /// An answer that no service has sent, for doubles in tests.
    public init(
        to request: any Request, status: Int = 200, headers: [String: String] = [:], data: Data = Data()
    ) throws(URLError) {
        self.init(data: data, http: try .plain(request.url, status: status, headers: headers))
    }

    public var status: Int { http.statusCode }

    /// The fields by name; Foundation has joined those that came more than once.
    public var headers: [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in http.allHeaderFields { headers["\(name)"] = "\(value)" }
        return headers
    }
}

extension DataResponse {
    /// The same response, its content in a new file of the temporary directory.
    public func inFile() throws(URLError) -> DataResponse {
        let file = Self.newFile()
        do {
            try data.write(to: file)
        } catch {
            throw URLError(.cannotCreateFile, userInfo: [NSUnderlyingErrorKey: error])
        }
        return DataResponse(data: Data(), http: http, file: file)
    }

    /// Removes the file of a download that nobody wants.
    func discardFile() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// A name in the temporary directory that nothing has.
    static func newFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("NetworkingKit-\(UUID().uuidString)")
    }
}

extension HTTPURLResponse {
    /// A response of which status and fields are known, and no more.
    package static func plain(
        _ url: URL, status: Int, version: String = "HTTP/1.1", headers: [String: String] = [:]
    ) throws(URLError) -> HTTPURLResponse {
        guard let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: headers)
        else {
            throw URLError(.badServerResponse, userInfo: [NSURLErrorFailingURLErrorKey: url])
        }
        return response
    }
}

/// Which statuses a fetch takes for a success.
public struct AcceptedStatuses: Sendable {
    /// 2xx.
    public static let successful = AcceptedStatuses(200..<300)
    /// Whatever comes: the data of an error is data too.
    public static let any = AcceptedStatuses { _ in true }

    private let accepts: @Sendable (Int) -> Bool

    public init(_ accepts: @escaping @Sendable (Int) -> Bool) {
        self.accepts = accepts
    }

    public init(_ statuses: Range<Int>) {
        accepts = statuses.contains
    }

    public func contains(_ status: Int) -> Bool {
        accepts(status)
    }
}
