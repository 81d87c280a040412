// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Endpoint {
    /// Why a task and its request do not go together.
    public enum TaskError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// The encoding of a content puts parameters into the query.
        case bodyEncoding(String)
        /// The method has no content that could be a form.
        case formMethod(HTTPMethod)
        case emptyForm
        /// The file that is to be sent is none, or cannot be read.
        case file(URL, String)

        public var description: String {
            switch self {
            case .bodyEncoding(let encoding):
                "\(encoding) does not encode a content: composite parameters take URLEncoding.httpBody or JSONEncoding"
            case .formMethod(let method):
                "\(method) does not send a multipart form: POST, PUT, PATCH and CONNECT do"
            case .emptyForm: "a multipart form has one part at least (RFC 2046 §5.1)"
            case .file(let url, let reason): "\(url.isFileURL ? url.path : url.absoluteString): \(reason)"
            }
        }

        public var errorDescription: String? { description }
    }
}
