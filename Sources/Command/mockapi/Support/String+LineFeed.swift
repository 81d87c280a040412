// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension String {
    /// Without one line feed at its end.
    var trimmingLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
