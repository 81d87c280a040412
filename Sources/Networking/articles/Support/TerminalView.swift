// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit

/// A view that can be shown as lines.
protocol TerminalView {
    func lines(in renderer: TerminalRenderer) -> [String]
}
