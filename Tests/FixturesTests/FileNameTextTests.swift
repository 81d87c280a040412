// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@testable import MockapiFixtures

/// Names of files, and what names and first bytes say of files.
@Suite(.supervised) struct FileNameTextTests {
    @Test(arguments: [
        ("a.b", "a.b"), (".a", "_a"), ("a.", "a_"), (".", "_"), ("..", "__"), ("a/b c?", "a-b-c-"), ("é1²", "é1²"),
        ("con", "con_"), ("CON.txt", "CON_.txt"), ("com1.a", "com1_.a"), ("lpt¹", "lpt¹_"), ("com", "com"),
        ("com10", "com10"), ("coma", "coma"), ("nul", "nul_"), ("conx", "conx"), ("xcom1", "xcom1"), ("", ""),
    ])
    func `a segment has characters that every file system takes`(text: String, name: String) {
        #expect(FileNameText.safe(text) == name)
    }

    @Test func `each sign of ASCII is kept or a hyphen`() {
        let kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@+,=~"
        for byte in UInt8.min..<0x80 {
            let sign = String(UnicodeScalar(byte))
            #expect(FileNameText.safe("x\(sign)y") == "x\(kept.contains(sign) ? sign : "-")y", "\(byte)")
        }
    }

    @Test func `a long name is cut, and a hash tells it from others`() {
        func long(_ count: Int) -> String { String(repeating: "a", count: count) }
        for (limit, name) in [
            (100, FileNameText.safe), (200, { FileNameText.stem([$0]) }), (80, { FileNameText.joined([$0])[0] }),
        ] as [(Int, (String) -> String)] {
            #expect(name(long(limit)) == long(limit))
            let (cut, other) = (name(long(limit) + "b"), name(long(limit) + "c"))
            #expect(
                cut.utf8.count == limit && cut != other
                    && FileNameText.withoutHashes(cut) == "\(long(limit - 9))-redacted")
        }
        #expect(FileNameText.joined(["a b", "-c--d?"]) == ["a-b", "c-d"])
        #expect(FileNameText.joined([long(40), long(39)]) == [long(40), long(39)])
        #expect(FileNameText.joined([long(40), long(40)]).map(\.utf8.count) == [80])
    }

    @Test(arguments: [
        ("a-0a1b2c3d.json", "a-redacted.json"), ("0a1b2c3d.json", "0a1b2c3d.json"), ("d/0a1b2c3d.x", "d/0a1b2c3d.x"),
        ("a.0a1b2c3d", "a.redacted"), ("a-0a1b2c3", "a-0a1b2c3"), ("a-0a1b2c3g.x", "a-0a1b2c3g.x"),
        ("a-0a1b2c3d4", "a-0a1b2c3d4"), ("", ""), ("a-", "a-"), ("a-0A1B2C3D-0a1b2c3d/x", "a-redacted-redacted/x"),
    ])
    func `a hash is eight digits behind a hyphen or a dot`(path: String, text: String) {
        #expect(FileNameText.withoutHashes(path) == text)
    }

    @Test(arguments: [
        ("png", true), ("woff", true), ("mp3", true), ("mp4", true), ("css", true), ("js", true), ("html", true),
        ("wasm", true), ("webmanifest", true), ("json", false), ("xml", false), ("txt", false), ("", false),
    ])
    func `parts of a page are known by their extensions`(name: String, isOfPage: Bool) {
        #expect(MediaType.isOfPage(path: "/a.\(name)") == isOfPage)
    }

    // MARK: Files that were meant to be something else

    @Test(arguments: [
        ("a.stub", true), (".stub", true), ("stub", false), ("a.stub.txt", true), ("stub.txt", false),
        ("d/A.STUB.YAML", true), ("a.stubs.txt", false), ("a.stub.b.txt", false),
    ])
    func `a name looks like a stub's`(path: String, isWarned: Bool) {
        #expect((MisnamedStub.warning(path, Content(bytes: [])) != nil) == isWarned)
    }

    @Test(arguments: [
        (#"{"request": {}, "response": {}}"#, true), (#"{"request": {}, "responses": [], "priority": 1}"#, true),
        (#"{"request": {}, "response": {}, "other": 1}"#, false), (#"{"response": {}}"#, false),
        (#"{"request": {}, "response": 1}"#, false), (#"{"request": 1, "response": {}}"#, false),
        (#"{"stubs": [{"request": {}, "response": {}}]}"#, true), (#"{"stubs": [], "response": 1}"#, false),
        (#"{"mappings": [{"request": {}, "responses": []}, 1]}"#, true), (#"{"request": {}, "response": {}"#, false),
        ("", false),
    ])
    func `a plain file of JSON looks like a stub`(text: String, isWarned: Bool) {
        let warning = MisnamedStub.warning("d/a.json", Content(bytes: Array(text.utf8)))
        #expect((warning != nil) == isWarned)
        #expect(warning?.hasSuffix("name it \"a.stub.json\"") != false)
        #expect(MisnamedStub.warning("d/a.txt", Content(bytes: Array(text.utf8))) == nil)
    }

    @Test(arguments: [
        ("a.har", #"{"log": {"entries": []}}"#, true), ("a.har", #"{"log": {}}"#, false), ("a.har", "", false),
        ("a.json", #"{"openapi": "3.0"}"#, true), ("a.json", #"{"swagger": 2}"#, true),
        ("a.json", #"{"openapi": {}}"#, false), ("a.json", #"{"a": {"openapi": "3"}}"#, false),
        ("a.json", #"{"info": {"schema": "https://schema.getpostman.com/x"}}"#, true),
        ("a.json", #"{"schema": "schema.getpostman.com"}"#, false), ("a.yaml", "openapi: 3", true),
        ("a.yml", "x: 1\nswagger: 2", true), ("a.yaml", " openapi: 3", false), ("a.txt", "openapi: 3", false),
    ])
    func `a document of another tool is known by its members`(path: String, text: String, isWarned: Bool) {
        #expect((ForeignDocument.warning(path, Content(bytes: Array(text.utf8))) != nil) == isWarned)
    }

    @Test(arguments: [
        ("a.json", #" {"openapi": "#, true), ("a.json", "\r\n{\t\"swagger\"", true), ("a.json", #"["openapi""#, false),
        ("a.json", #""openapi""#, false), ("a.json", #"{"info": {"schema": "https://schema.getpostman.com"#, true),
        ("a.json", #"{"info": {}"#, false), ("a.json", #"{"a": 1, "openapi""#, false), ("a.har", "{", true),
        ("a.har", "", false),
    ])
    func `a large document of another tool is known by its beginning`(path: String, head: String, isWarned: Bool) {
        let file = FileBody(path: path, size: 1 << 20, modified: 0, inode: 0)
        #expect((ForeignDocument.warning(path, Content(file: file, head: Array(head.utf8))) != nil) == isWarned)
    }

    @Test(arguments: [
        ("text/html", "<meta charset=\"utf-8\">é", nil), ("text/html", "<meta charset=ISO-8859-1>é", "iso-8859-1"),
        ("text/html", "<meta charset='windows-1252'>a", nil), ("text/html", "<p charset=koi8-r>é", nil),
        ("text/html", "<meta http-equiv=x content=\"text/html; charset=koi8-r\">é", "koi8-r"),
        ("text/html", "<meta name=a><META CHARSET = Shift_JIS:x.y ><p>é", "shift_jis:x.y"),
        ("text/plain", "<meta charset=latin1>é", nil), ("text/html", "", nil),
        ("application/xml", "<?xml version=\"1.0\" encoding=\"latin1\"?>é", "latin1"),
        ("a/b+xml; x=y", "<?xml encoding='latin1'?>é", "latin1"),
        ("application/xml", " <?xml encoding='latin1'?>é", nil),
        ("application/xml", "<?xml encoding='latin1' é", nil), ("application/xml", "<?xml version='1.0'?>é", nil),
    ])
    func `a text contradicts its own declaration where it says another coding`(
        type: String, text: String, declared: String?
    ) {
        let found = TextCoding.contradiction(of: type, in: Content(bytes: Array(text.utf8)))
        #expect((found != nil) == (declared != nil))
        if let declared {
            #expect(found?.hasPrefix("the text says that it is in \(declared), but its bytes are UTF-8") == true)
        }
        // Where the bytes are not UTF-8, a text that says so contradicts them.
        let wrong = TextCoding.contradiction(
            of: "text/html", in: Content(bytes: Array("<meta charset=UTF-8>".utf8) + [0xE9]))
        #expect(wrong == "the text says that it is in utf-8, but its bytes are not: save it as UTF-8")
    }
}
