// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

extension RequestMatch {
    /// The behaviour once all responses of a stub have been given.
    public enum AfterLast: String, Sendable {
        /// The last response comes again.
        case repeatLast = "repeat"
        /// The first response comes again.
        case restart
        /// No response: the request is unmatched.
        case unmatched
    }

    /// A stub that responds to these requests.
    ///
    /// - Parameter priority: 1 goes first; 5 is that of stubs that say nothing.
    public func respond(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: MockResponse.Content = .none,
        delay: Duration = .zero, fault: StubFault? = nil, priority: Int? = nil, fileID: String = #fileID,
        line: Int = #line
    ) -> MockStub {
        let response = MockResponse(status, headers: headers, body: body, delay: delay, fault: fault)
        return stub([response], nil, priority, MockStub.label(fileID, line))
    }

    /// A stub that responds to these requests with JSON as it is written.
    public func respond(
        json: String, status: Int = 200, priority: Int? = nil, fileID: String = #fileID, line: Int = #line
    ) -> MockStub {
        stub([.json(json, status: status)], nil, priority, MockStub.label(fileID, line))
    }

    /// A stub that gives one response after the other, each to one request.
    public func respond(
        inTurn responses: [MockResponse], afterLast: AfterLast = .repeatLast, priority: Int? = nil,
        fileID: String = #fileID,
        line: Int = #line
    ) -> MockStub {
        stub(responses, afterLast, priority, MockStub.label(fileID, line))
    }

    func stub(
        _ responses: [MockResponse], _ afterLast: AfterLast?, _ priority: Int?, _ label: String
    ) -> MockStub {
        MockStub(stub(responses, afterLast, priority), label: label)
    }

    /// The stub of a stub file.
    func stub(_ responses: [MockResponse], _ afterLast: AfterLast?, _ priority: Int?) -> JSONNode {
        StubWriter.stub(
            priority: priority, request: node, steps: responses.map(\.node),
            afterLast: afterLast.flatMap { Stub.SequenceEnd(rawValue: $0.rawValue) })
    }
}
