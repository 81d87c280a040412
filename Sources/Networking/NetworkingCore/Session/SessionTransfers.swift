// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// The transfers of one session by their tasks, and the session's reports on them.
final class SessionTransfers: NSObject, URLSessionDataDelegate {
    private let transfers = Mutex<[Int: SessionTransfer]>([:])

    func start(_ transfer: SessionTransfer, _ task: URLSessionTask, _ continuation: SessionTransfer.Continuation) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
        if !transfer.start(task, continuation) { _ = remove(task) }
    }

    private func transfer(_ task: URLSessionTask) -> SessionTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    private func remove(_ task: URLSessionTask) -> SessionTransfer? {
        transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(dataTask)?.receive(response)
        completionHandler(.allow)
    }

    /// Takes a redirection for a response, which `Redirection` follows.
    ///
    /// Foundation on Linux would send credentials to whatever origin is named, and of the content nothing.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        transfer(task)?.redirect(response)
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// Takes a 401 for a response like any other: its head and content have come by now.
    ///
    /// Foundation on Linux waits for ever if there is no credential to offer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            guard let response = challenge.failureResponse else {
                completionHandler(.performDefaultHandling, nil)
                return
            }
            let transfer = remove(task)
            transfer?.receive(response)
            transfer?.complete(nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        remove(task)?.complete(error)
    }
}

extension URLError {
    /// The error of a session's task with the code that Foundation has for it on Darwin.
    ///
    /// On Linux most of libcurl's errors are `unknown`; its words, which Foundation passes on, tell them apart. Words that are not known
    /// leave the code as it is.
    init(ofTask error: any Error, url: URL?) {
        let error = URLError(fetching: error, url: url)
        self = error
        #if canImport(FoundationNetworking)
            if let code = Self.code(error.code, error.localizedDescription) {
                self = URLError(code, userInfo: error.userInfo)
            }
        #endif
    }

    #if canImport(FoundationNetworking)
        private static func code(_ code: Code, _ text: String) -> Code? {
            switch code {
            case .badServerResponse where text.contains("Empty reply"): .networkConnectionLost
            case .unsupportedURL where text.contains("HTTP/0.9"): .cannotParseResponse
            case .unknown where text.contains("transfer closed"): .networkConnectionLost
            case .unknown where text.contains("content unencoding"): .cannotDecodeContentData
            case .unknown where text.contains("chunk"): .cannotParseResponse
            case .unknown where text.contains("certificate has expired"): .serverCertificateHasBadDate
            case .unknown where text.contains("certificate"): .serverCertificateUntrusted
            case .unknown where text.contains("SSL"): .secureConnectionFailed
            default: nil
            }
        }
    #endif
}
