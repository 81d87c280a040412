// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes

/// A point in time with the way that it prints.
package struct TemplateDate: Sendable {
    let time: DateTime
    /// Nil for ISO 8601.
    let format: DateTimeFormat?

    var milliseconds: Int { time.milliseconds }
    var text: String { format?.text(of: time) ?? time.isoText }
}
