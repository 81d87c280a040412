// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension NetNamespace where Base == URLRequest {
    /// A line for a POSIX shell that has curl send the request: method, headers by name, body.
    ///
    /// A body that is text of 64 KiB or less stands in the line, any other is piped in from base64; one that is a stream is read from
    /// standard input. Redirects are not followed. The line tells what the request does, credentials too.
    public var curlCommand: String { CurlCommand(request: base).text }
}

extension NetNamespace where Base: Request {
    /// A line for a POSIX shell that has curl send the request, without what a delegate adds.
    ///
    /// - Throws: `RequestError` where the parts make no request.
    public var curlCommand: String {
        get throws { try CurlCommand(base.wireRequest(delegate: [:])).text }
    }

    /// A line for a POSIX shell that has curl send the request as a networking would, with the headers of its delegate.
    ///
    /// - Throws: `RequestError` where the parts make no request.
    public func curlCommand(by networking: any Networking) throws -> String {
        let headers = networking.delegate?.headers(for: networking) ?? [:]
        return try networking.coders.use { try CurlCommand(base.wireRequest(delegate: headers)).text }
    }
}
