// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// When a recording stays.
enum KeepChoice: String, ExpressibleByArgument, CaseIterable {
    /// Whatever the command ended with.
    case always
    /// If the command ended with 0.
    case passed
}
