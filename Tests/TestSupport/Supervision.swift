// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPlatform
import MockapiWireSupport
import Synchronization
package import Testing

#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Trait where Self == Supervision {
    /// Each test of the suite runs on threads that may block, a few tests at a time, and is a failure with its name where it does not end.
    ///
    /// Every suite has it; `SupervisionTests` looks after that.
    package static var supervised: Self { Supervision() }
}

/// What a suite of this package runs its tests with.
///
/// * A test may block its thread, since it is none of those that all tasks share: two cores have but two of these, and a client that waits
///   on one of them keeps the server's side of a test, or another test's deadline, from running.
/// * Not all tests begin at once, as they do by default: each then takes its own time rather than everybody's, and memory is that of a few.
/// * A test that does not end within five minutes of its beginning is a failure that names it, and two minutes later it ends the run.
package struct Supervision: SuiteTrait, TestTrait, TestScoping {
    private static let gate = Gate(width: 12)
    /// Lets go of what one test has freed before the next needs as much: by itself the allocator keeps a heap for each thread.
    private static let givesMemoryBack: Bool = {
        #if canImport(Glibc)
            cplatform_limit_arenas(2)
            cplatform_map_large_blocks(256 * 1024, 1024 * 1024)
        #endif
        return true
    }()
    private static let ended = Atomic(0)
    /// How many tests end before what they have freed is given back to the system. 32.
    private static let testsPerReturn = 32
    private static let minutes = 5
    @TaskLocal private static var isInside = false

    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil || Self.isInside ? nil : self
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if Self.isInside { return try await function() }
        _ = Self.givesMemoryBack
        await Self.gate.enter()
        let watch = Task { try await Self.watch(test) }
        defer {
            watch.cancel()
            if Self.ended.add(1, ordering: .relaxed).newValue % Self.testsPerReturn == 0 {
                cplatform_give_back_memory()
            }
            Self.gate.leave()
        }
        try await Self.$isInside.withValue(true) {
            try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
        }
    }

    /// Waits for as long as a test may take.
    private static func watch(_ test: Test) async throws {
        try await Task.sleep(for: .seconds(60 * minutes))
        Issue.record("it has not ended within \(minutes) minutes", sourceLocation: test.sourceLocation)
        try await Task.sleep(for: .seconds(120))
        // Its threads cannot be ended, and the runner would wait for them.
        fputs("\(test.name) does not end: the run is given up\n", stderr)
        exit(1)
    }
}

/// How much of what is random is tried: a little with every run of the tests, much in `.ci/nightly`.
package enum Thoroughness {
    package static let isThorough = getenv("MOCKAPI_THOROUGH") != nil
    /// Whether few of the clients of the contract are played: `Tests/Mutants/run` plays them for each mutant.
    package static let isSample = getenv("MOCKAPI_SAMPLE") != nil

    package static func rounds(_ usual: Int, thorough: Int) -> Int {
        isThorough ? thorough : usual
    }
}

/// A door through which a number of tasks may be at once; who came last goes first, so that suites whose tests follow each other go on
/// rather than queue up behind all others each time.
private final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(width: Int) {
        state = Mutex(State(free: width))
    }

    func enter() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayEnter { continuation.resume() }
        }
    }

    func leave() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let next = state.waiting.popLast() { return next }
            state.free += 1
            return nil
        }?.resume()
    }
}
