// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The sample fixtures of the repository.
enum Sample {
    static let fixtures = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures").path
}
