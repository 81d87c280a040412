// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct TextLookTests {
    @Test(arguments: [
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", true), ("6BA7B810-9DAD-11D1-80B4-00C04FD430C8", true),
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c", false), ("6ba7b810-9dad-11d1-80b4-00c04fd430c89", false),
        ("6ba7b8109-dad-11d1-80b4-00c04fd430c8", false), ("6ba7b810-9dad-11d1-80b4-00c04fd430cg", false),
        // Digits of full width are no digits here.
        ("６ba7b810-9dad-11d1-80b4-00c04fd430", false), ("", false),
    ])
    func `a UUID has 36 bytes of hexadecimal digits and hyphens`(text: String, isUUID: Bool) {
        #expect(TextLook.isUUID(text.utf8) == isUUID)
    }

    @Test(arguments: [
        ("2026-11-20", true), ("2026-11-20T10:00:00Z", true), ("2024-02-29", true), ("2023-02-29", false),
        ("1900-02-29", false), ("2000-02-29", true), ("2026-13-01", false), ("2026-00-10", false),
        ("2026-04-31", false),
        ("2026-04-00", false), ("2026-1-020", false), ("20261-1-20", false), ("2026-11-2", false), ("", false),
        ("２026-11-20", false),
    ])
    func `a date begins with a day that exists`(text: String, isDate: Bool) {
        let day = TextLook.day(text.utf8)
        #expect((day != nil) == isDate)
        if let day { #expect(text.hasPrefix("\(day.year)-")) }
    }

    /// By counting days on from 1970.
    @Test func `each day that exists is read, and no other`() {
        var days: Set<String> = []
        for number in -800...20_000 {
            let day = GregorianDay(daysSince1970: number)
            days.insert("\(DateText.padded(day.year, 4))-\(DateText.padded(day.month))-\(DateText.padded(day.day))")
        }
        for year in 1968...2023 {
            for month in 0...13 {
                for day in 0...32 {
                    let text = "\(year)-\(DateText.padded(month))-\(DateText.padded(day))"
                    #expect((TextLook.day(text.utf8) != nil) == days.contains(text), "\(text)")
                }
            }
        }
    }
}
