// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings

/// Content in its coding.
enum Coded {
    static func bytes(_ content: [UInt8], _ coding: String) throws -> [UInt8]? {
        try ContentCoding(rawValue: coding)?.encode(content)
    }
}
