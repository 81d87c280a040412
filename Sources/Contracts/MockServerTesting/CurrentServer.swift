// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

/// The server of the test that runs.
enum CurrentServer {
    @TaskLocal static var value: MockServer?
}
