// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// The response to a request, whatever its status: from a service, from a cache or from a stub.
public struct DataResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The content, its coding undone; empty if it went to a file.
    public private(set) var data: Data
    /// The request that was sent; nil if that is not known.
    public private(set) var request: URLRequest?
    /// Status and fields; nil if a stub has a status and no more.
    public let response: HTTPURLResponse?
    /// Where the content of a download was put; the file is the receiver's to move or remove.
    public let file: URL?
    /// The coders that read it if nobody says otherwise: those of the networking that it came by.
    package var coders = Coders()

    /// Makes a response of its parts.
    public init(
        statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil, file: URL? = nil
    ) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        self.response = response
        self.file = file
    }

    /// Makes a response of the result of `URLSession`.
    public init(data: Data, http: HTTPURLResponse, file: URL? = nil) {
        self.init(statusCode: http.statusCode, data: data, response: http, file: file)
    }

    /// The status code.
    public var status: Int { statusCode }

    /// Status and fields.
    public var http: HTTPURLResponse {
        let url = request?.url ?? URL(fileURLWithPath: "/")
        let plain = response ?? HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: nil, headerFields: nil)
        guard let plain else { preconditionFailure("Foundation makes a response of any status") }
        return plain
    }

    /// Where the response came from, or else where the request went.
    public var url: URL? { response?.url ?? request?.url }

    /// The fields by name; Foundation has joined those that came more than once.
    public var headers: [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in response?.allHeaderFields ?? [:] { headers["\(name)"] = "\(value)" }
        return headers
    }
}

extension DataResponse: Equatable, CustomStringConvertible {
    /// Whether the response is the same, to whatever request.
    public static func == (left: Self, right: Self) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data && left.response == right.response
    }

    public var description: String { "status \(statusCode), \(data.count) bytes" }
}

extension DataResponse {
    /// The same response with other data, or as the response to another request.
    package func with(data: Data? = nil, request: URLRequest? = nil) -> DataResponse {
        var copy = self
        copy.data = data ?? self.data
        copy.request = request ?? self.request
        return copy
    }

    package func read(by coders: Coders) -> DataResponse {
        var copy = self
        copy.coders = coders
        return copy
    }

    /// The same response, its content in a new file of the temporary directory.
    public func inFile() throws(URLError) -> DataResponse {
        let file = Self.newFile()
        do {
            try data.write(to: file)
        } catch {
            throw URLError(.cannotCreateFile, userInfo: [NSUnderlyingErrorKey: error])
        }
        return DataResponse(statusCode: statusCode, data: Data(), request: request, response: response, file: file)
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
    /// A response whose status and fields alone are known.
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

    /// Makes a rule of a function.
    public init(_ accepts: @escaping @Sendable (Int) -> Bool) {
        self.accepts = accepts
    }

    /// Makes a rule of a range.
    public init(_ statuses: Range<Int>) {
        accepts = statuses.contains
    }

    /// Whether a status is accepted.
    public func contains(_ status: Int) -> Bool { accepts(status) }
}

/// The options of a transfer.
public struct TransferOptions: Sendable {
    /// Whether the content is put into a file: `DataResponse.file`.
    public var isDownload: Bool
    /// Called with how far the transfer is each time some bytes have gone over the wire, and once at its end.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// Makes options.
    public init(isDownload: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil) {
        self.isDownload = isDownload
        self.progress = progress
    }
}

/// How many bytes of a request and its response have gone over the wire.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes that have come, or gone.
    public let completed: Int64
    /// Nil if it is not known.
    public let total: Int64?

    /// Makes a progress; `total` is nil if the length is not known.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// From 0 to 1; nil if the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}
