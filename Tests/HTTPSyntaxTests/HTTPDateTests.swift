// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `all three forms of a date are read`(text: String) {
        #expect(HTTPDate.parse(text, now: 1_700_000_000) == 784_111_777)
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "784111777",
    ])
    func `anything else is not a date`(text: String) {
        #expect(HTTPDate.parse(text, now: 1_700_000_000) == nil)
    }

    @Test func `a two-digit year is at most fifty years ahead`() {
        let now = 1_700_000_000  // 2023
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-73 08:49:37 GMT", now: now).map { HTTPDate.format($0) }?.contains("2073")
                == true)
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-74 08:49:37 GMT", now: now).map { HTTPDate.format($0) }?.contains("1974")
                == true)
    }

    @Test func `what is written is read back, leap days and all`() {
        for day in stride(from: 0, to: 60_000, by: 13) {
            let seconds = day * 86_400 + (day * 7919) % 86_400
            #expect(HTTPDate.parse(HTTPDate.format(seconds), now: 1_700_000_000) == seconds)
        }
        #expect(HTTPDate.format(951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    }

    @Test func `a moment that four digits cannot say is the nearest they can`() {
        #expect(HTTPDate.format(253_402_300_799) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(-62_167_219_200) == "Sat, 01 Jan 0000 00:00:00 GMT")
        #expect(HTTPDate.format(.min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    }
}
