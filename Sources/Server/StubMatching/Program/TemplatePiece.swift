// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A piece of a path template as one record.
struct TemplatePiece: BitwiseCopyable {
    enum Kind: UInt8 {
        case literal, variable, rest
    }

    var kind: Kind
    /// A literal's bytes in the pool.
    var start: UInt32 = 0
    var end: UInt32 = 0
}

/// Where the pieces of one template stand.
struct TemplateRecord: BitwiseCopyable {
    var first: UInt32
    var count: UInt32
}
