// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiRecording

@Suite(.supervised) struct RedirectTargetTests {
    /// RFC 3986 §5.4.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
        ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"), ("", "/b/c/d;p?q"),
        (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
        ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
        ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"),
        ("g;x=1/../y", "/b/c/y"), ("g?y/../x", "/b/c/g?y/../x"),
        ("/x y?a=b c", "/x%20y?a=b%20c"),
    ])
    func `a reference is resolved`(reference: String, target: String) {
        #expect(
            RedirectTarget.resolve(reference, from: "http://a:81", "/b/c/d;p?q") == "http://a:81" + target)
    }

    @Test func `an accent behind a delimiter is of what stands there`() {
        let (origin, accent) = ("https://a", "\u{301}")
        #expect(RedirectTarget.resolve("c", from: origin, "/a/\(accent)b") == "https://a/a/c")
        #expect(RedirectTarget.resolve("/\(accent)x", from: origin, "/b/c") == "https://a/\(accent)x")
        #expect(RedirectTarget.resolve("?\(accent)q", from: origin, "/b/c") == "https://a/b/c?\(accent)q")
        #expect(RedirectTarget.resolve("//\(accent)h/x", from: origin, "/b/c") == "https://\(accent)h/x")
        #expect(RedirectTarget.split("https://h/\(accent)x")?.base == "https://h")
    }

    @Test func `a reference may name another host`() {
        #expect(RedirectTarget.resolve("//g/x", from: "https://a", "/") == "https://g/x")
        #expect(RedirectTarget.resolve(" http://g/x?u=a:b#c ", from: "https://a", "/") == "http://g/x?u=a:b")
        #expect(RedirectTarget.resolve("x?u=http://g", from: "https://a", "/y") == "https://a/x?u=http://g")
    }
}
