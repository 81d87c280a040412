// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Why there is nothing to send, or a request is not to be sent.
public enum RequestError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The method is not a token (RFC 9110 §5.6.2).
    case method(String)
    /// The name of a field is not a token, or its value holds CR, LF or NUL (RFC 9110 §5.5).
    case header(name: String, value: String)
    /// A text that is not a URL.
    case url(String)
    /// An `APIRequest` goes nowhere.
    case noBaseURL(request: String)
    /// A path has a query or a fragment.
    case path(String)
    /// The parameters for a query are not a dictionary.
    case parameters(method: HTTPMethod, type: String)
    /// A value has no form in a query or a form.
    case value(name: String, type: String)
    /// A value is not JSON.
    case body(type: String)
    /// A property of a request is of a type that cannot be sent.
    case property(String, of: String, type: String, expected: String)
    /// The encoding of a content puts parameters into the query.
    case bodyEncoding(String)
    /// The method does not allow content that could be a form.
    case formMethod(HTTPMethod)
    /// A multipart form without a part.
    case emptyForm
    /// The path that is to be sent is not a file, or cannot be read.
    case file(URL, String)
    /// The boundary between the parts of a form is not valid (RFC 2046 §5.1.1).
    case boundary(String)
    /// A part of a form has no name.
    case partName
    /// The media type of a part that is not one.
    case mimeType(part: String, String)
    /// The file of a part cannot be read.
    case part(String, file: URL, String)
    /// A form is too large for memory, and the file for it cannot be written.
    case temporaryFile(URL, String)
    /// A parameter has no form in JSON; the path is where it is: `filter[tags][1]`.
    case parameter(path: String, value: String)
    /// An id names no resource below another.
    case id(String, below: URL)
    /// A fixture that is named as a sample cannot be read.
    case sample(path: String, String)
    /// The link to the next page is not a URL.
    case link(String)
    /// The next page is on another server.
    case elsewhere(link: URL, page: URL)
    /// The next page was loaded before.
    case loop(URL)
    /// A double was not made for this request.
    case unexpected(curl: String)

    public var description: String {
        switch self {
        case .method(let method): "\(method.debugDescription) is not a method: a method is a token such as GET"
        case .header(let name, let value):
            "\(name.debugDescription): \(value.debugDescription) is not a field: a name is a token, a value has no line break and no NUL"
        case .url(let url): "\(url.debugDescription) is not a URL that a query can be added to"
        case .noBaseURL(let request):
            "\(request) has no base URL: give it a `baseURL`, or send it with a client that has one"
        case .path(let path):
            "\(path.debugDescription) is not a path: a query goes into `queryParameters`, and a fragment is never sent"
        case .parameters(let method, let type):
            "the parameters of \(method) are \(type): those of a query are a dictionary with names as keys"
        case .value(let name, let type):
            "\(name.debugDescription) is \(type): a value of a query or a form is text, a number, a Bool, NSNull or an array of these"
        case .body(let type):
            "\(type) is not JSON: use dictionaries, arrays, strings, numbers, Bool and NSNull, or `JSONBodyParameters` of an Encodable"
        case .property(let name, let request, let type, let expected):
            "`\(name)` of \(request) is \(type), which is not sent: make it \(expected)"
        case .bodyEncoding(let encoding):
            "\(encoding) does not encode a content: composite parameters take URLEncoding.httpBody or JSONEncoding"
        case .formMethod(let method): "\(method) does not send a multipart form: POST, PUT, PATCH and CONNECT do"
        case .emptyForm: "a multipart form has one part at least (RFC 2046 §5.1)"
        case .file(let url, let reason): "\(url.isFileURL ? url.path : url.absoluteString): \(reason)"
        case .boundary(let boundary):
            "\(boundary.debugDescription) is not a boundary: that is 1 to 70 characters of A-Z a-z 0-9 '()+_,-./:=? or a space, which is not the last (RFC 2046 §5.1.1)"
        case .partName: "a part of a form has a name (RFC 7578 §4.2)"
        case .mimeType(let part, let type):
            "part \(part.debugDescription): \(type.debugDescription) is not a media type"
        case .part(let part, let url, let reason): "part \(part.debugDescription): \(url.path): \(reason)"
        case .temporaryFile(let url, let reason): "\(url.path): the form cannot be written: \(reason)"
        case .parameter(let path, let value):
            "\(path): \(value) is not a JSON value: give a string, a finite number, a Boolean, an array, a dictionary by strings, or nil"
        case .id(let id, let url):
            "\(id.debugDescription) is not an id of a resource below \(url.absoluteString): an id is not empty, \".\" or \"..\""
        case .sample(let path, let reason): "\(path.debugDescription): \(reason)"
        case .link(let link): "the link to the next page is not a URL: \(link.debugDescription)"
        case .elsewhere(let link, let page):
            "the next page of \(page.absoluteString) is on another server: \(link.absoluteString). In fixtures, `rewriteOrigins` points recorded links at the server that answers"
        case .loop(let url): "the pages go round in a circle: \(url.absoluteString) was loaded before"
        case .unexpected(let curl): "the double does not expect this request: \(curl)"
        }
    }

    public var errorDescription: String? { description }
}

/// Why a file cannot be sent.
package struct UnreadableFile: Error {
    package let code: URLError.Code
    package let reason: String

    package init(code: URLError.Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension URL {
    /// The size of the file that is to be sent.
    package func regularFileSize() throws(UnreadableFile) -> Int {
        guard isFileURL else {
            throw UnreadableFile(code: .cannotOpenFile, reason: "what is sent from a file needs a file URL")
        }
        let file = resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            throw UnreadableFile(code: .fileDoesNotExist, reason: "there is no such file")
        }
        let type = attributes[.type] as? FileAttributeType
        guard type != .typeDirectory else { throw UnreadableFile(code: .fileIsDirectory, reason: "this is a folder") }
        guard type == .typeRegular else {
            throw UnreadableFile(code: .cannotOpenFile, reason: "this is not a regular file")
        }
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw UnreadableFile(code: .noPermissionsToReadFile, reason: "the file may not be read")
        }
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}

extension URLError {
    package init(_ error: UnreadableFile, file: URL) {
        self.init(
            error.code, "the file \(file.path) cannot be sent: \(error.reason); name one that can be read", url: file)
    }
}
