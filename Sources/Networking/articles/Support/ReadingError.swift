// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import NetworkingKit
import Presentables

/// Why nothing can be shown.
enum ReadingError: Error {
    /// A request has failed; `subject` names its purpose, `command` is its line for curl.
    case request(subject: String, url: URL, command: String, cause: any Error)
    case noSuchPage(Int, pages: Int)
    case noSuchPlace(Int, articles: Int)
    case noImage(String)
    case noKnownImage(URL, ImageInfoError)
    /// The link to the next page is not followed.
    case link(RequestError)
    case tooManyPages(Int)
    case notWritten(String, any Error)
    case unknownCommand(String)
}

extension ReadingError {
    /// Whether the service does not have the requested item.
    var isNotFound: Bool {
        guard case .request(_, _, _, let cause as ResponseError) = self else { return false }
        return cause.isStatus && cause.status == 404
    }
}

extension ReadingError: CustomStringConvertible {
    /// The error on the first line, the way out on those below.
    var description: String {
        switch self {
        case .request(let subject, let url, let command, let cause):
            RequestFailure(subject: subject, url: url, command: command).text(cause)
        case .noSuchPage(let page, let pages): "there is no page \(page): \(count(pages, "page")) in all"
        case .noSuchPlace(let place, let articles): "there is no article \(place): \(count(articles, "article")) in all"
        case .noImage(let name): "\(name.debugDescription) has no image"
        case .noKnownImage(let url, let error): "\(url.absoluteString) shows no image: \(error)"
        case .link(let failure): failure.description
        case .tooManyPages(let limit): "there are more than \(limit) pages; no more are followed"
        case .notWritten(let path, let error): "\(path) cannot be written: \(Self.reason(error))"
        case .unknownCommand(let text): "\(text.debugDescription) is not a command: \(PromptModel().placeholder)"
        }
    }

    private func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile: "there is no such folder"
        case .fileWriteFileExists: "it is a folder"
        case .fileWriteNoPermission: "it may not be"
        case .fileWriteOutOfSpace: "no space is left"
        default: error.localizedDescription
        }
    }
}
