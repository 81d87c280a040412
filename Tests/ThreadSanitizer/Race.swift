// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

/// Counts with a Mutex, and with `race` as its argument without one: the sanitizer has to tell the two apart.
final class Counter: @unchecked Sendable {
    // Unchecked: what this program is for.
    var bare = 0
    let guarded = Mutex(0)
}

let counter = Counter()
let isRace = CommandLine.arguments.contains("race")
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 {
        if isRace { counter.bare += 1 } else { counter.guarded.withLock { $0 += 1 } }
    }
}
print(counter.bare + counter.guarded.withLock { $0 })
