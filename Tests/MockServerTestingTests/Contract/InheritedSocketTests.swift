// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingKit
import NetworkingTesting
import Synchronization
import Testing

/// A process that starts while a request is under way may have its socket, and keep it open when the client has closed it.
@Suite(.supervised) struct InheritedSocketTests {
    @Test func `a cancellation is one, although another process keeps the connection open`() async throws {
        var options = NetworkingContract.Options()
        options.only = ["cancel"]
        let children = Children()
        let verdicts = try await NetworkingContract.verdicts(on: "spawning", options: options) {
            SpawningNetworking(children)
        }
        children.end()
        #expect(verdicts.failures.map(\.id) == [], "\(verdicts.text)")
        #expect(children.count > 0)
    }
}

/// A networking that starts a process just before it gives a request up.
private final class SpawningNetworking: WireNetworking {
    let acceptedStatuses = AcceptedStatuses.successful
    private let reference = DelegateReference()
    private let networker = Networker()
    private let children: Children

    init(_ children: Children) {
        self.children = children
    }

    var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        let networker = networker
        let task = Task { try await networker.send(request, file: file, options: options) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            children.start()
            task.cancel()
        }
        do {
            return try result.get()
        } catch {
            throw error as? URLError ?? URLError(.unknown)
        }
    }
}

/// Processes that do nothing, and have every socket that is open when they start.
private final class Children: Sendable {
    private let started = Mutex<[pid_t]>([])

    var count: Int { started.withLock { $0.count } }

    func start() {
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("100"), nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/sleep", nil, nil, &words, environ) == 0 else { return }
        started.withLock { $0.append(pid) }
    }

    func end() {
        for pid in started.withLock({ $0 }) {
            kill(pid, SIGKILL)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
        }
    }
}
