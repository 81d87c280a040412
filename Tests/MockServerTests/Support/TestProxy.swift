// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import Synchronization

/// An upstream of a test: a function that answers.
final class TestProxy: RequestProxy {
    typealias Answer = @Sendable (_ target: String, UnmatchedRequest, StreamedResponse) -> Void

    private let answer: Answer
    private let requests = Mutex<[String]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// What was passed on, such as `GET /a`.
    var passed: [String] { requests.withLock { $0 } }

    func forward(_ request: UnmatchedRequest, into response: StreamedResponse) {
        let target = request.head.string(request.head.target)
        requests.withLock { $0.append("\(request.head.string(request.head.method)) \(target)") }
        self.answer(target, request, response)
    }

    /// Answers with a text, in chunks of a byte, and a trailer behind them.
    static func text(_ text: String, status: Int = 200) -> TestProxy {
        TestProxy { _, _, answer in
            Task {
                answer.begin(ResponseHead(status: status, fields: [WireField("From", "upstream")], framing: .chunked))
                for byte in text.utf8 { guard await answer.send([byte]) else { return } }
                answer.finish(trailers: [WireField("X-Sum", "1")])
            }
        }
    }
}
