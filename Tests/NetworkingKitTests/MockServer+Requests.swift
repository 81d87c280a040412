// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension MockServer {
    /// Method and target of each request that came, in the order they came.
    var requestLines: [String] {
        journal.entries.map { "\($0.request.method) \($0.request.path ?? "")" }
    }
}
