// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A value matcher as one record; its children stand side by side in the same array.
struct ValueTest: BitwiseCopyable {
    enum Operation: UInt8 {
        /// A test that cannot be made, such as that of a broken pattern.
        case never
        case equalTo, equalToIgnoringCase, contains, doesNotContain
        case matches, doesNotMatch
        case absent, anything
        case equalToJSON
        case binaryEqualTo
        case and, or, not
        /// A test that an engine makes: one of the program's testers.
        case tester
    }

    var operation: Operation
    /// The start of the operand in the pool, the first child, or the number of a pattern, a JSON value or a tester.
    var first: UInt32 = 0
    /// The end of the operand in the pool, or how many children there are.
    var second: UInt32 = 0
}
