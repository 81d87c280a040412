// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ASCIITests {
    @Test func `the token bytes are those of RFC 9110`() {
        let expected = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        #expect(Set((UInt8.min...UInt8.max).filter(ASCII.isToken)) == expected)
    }

    @Test func `a percent sign without digits stands for itself`() {
        #expect(PercentCoding.decode("a%20b%2fc+%zz%4".utf8) == Array("a b/c+%zz%4".utf8))
        #expect(PercentCoding.decode("a+b%2B".utf8, plusIsSpace: true) == Array("a b+".utf8))
    }
}
