// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage

/// Where a line for each request goes; one for each loop.
protocol RequestLog: AnyObject {
    func append(_ line: RequestLogLine)
    /// Writes what has been gathered, all at once.
    func flush()
}
