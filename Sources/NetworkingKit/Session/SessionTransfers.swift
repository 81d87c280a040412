// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Synchronization

/// The transfers of one session by their tasks, and what the session says of them.
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

    /// Takes a redirection for an answer, which `Redirection` follows.
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

    /// Takes a 401 for an answer like any other: its head and content have come by now.
    ///
    /// Foundation on Linux waits for ever where there is no credential to offer.
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
