// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct MultipartTests {
    private func target(_ form: MultipartFormData, at url: URL) -> AnyTarget {
        AnyTarget(baseURL: url, method: .post, task: .uploadMultipartFormData(form))
    }

    private func failure(_ target: AnyTarget) async -> String {
        do {
            _ = try await Provider<AnyTarget>().request(target)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    private static let cannot = "the content of the request cannot be encoded: "

    /// Tells from where contents would be sent.
    private struct Watcher: Networking {
        var delegate: (any NetworkingDelegate)?
        let files = Collected<URL?>()
        let contents = Collected<Data?>()

        func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
            files.append(request.bodyFile)
            contents.append(request.bodyFile.map { FileManager.default.contents(atPath: $0.path) } ?? request.body)
            return Just(Data()).setFailureType(to: URLError.self).eraseToAnyPublisher()
        }
    }

    @Test func partsOfDataAndFilesComeInTheirOrder() async throws {
        let echo = try await EchoServer.start()
        let files = try TemporaryDirectory(["notes.txt": "from a file"])
        let form = MultipartFormData(
            boundary: "xyz",
            parts: [
                MultipartFormBodyPart(provider: .data(Data("A lake".utf8)), name: "description"),
                MultipartFormBodyPart(provider: .file(URL(fileURLWithPath: "\(files.path)/notes.txt")), name: "file"),
                MultipartFormBodyPart(
                    provider: .data(Data("GIF89a".utf8)), name: "image", fileName: "a \"b\"\r\n.gif",
                    mimeType: "image/gif"),
            ])
        let response = try await Provider<AnyTarget>().request(target(form, at: echo.url))
        #expect(response.statusCode == 200)
        let lines = [
            "--xyz", #"Content-Disposition: form-data; name="description""#, "", "A lake",
            "--xyz", #"Content-Disposition: form-data; name="file"; filename="notes.txt""#, "Content-Type: text/plain",
            "", "from a file",
            "--xyz", #"Content-Disposition: form-data; name="image"; filename="a %22b%22%0D%0A.gif""#,
            "Content-Type: image/gif", "", "GIF89a",
            "--xyz--", "",
        ]
        #expect(
            echo.messages == [
                EchoServer.Message(
                    method: "POST", target: "/things", contentType: "multipart/form-data; boundary=xyz",
                    body: lines.joined(separator: "\r\n"))
            ])
        await echo.stop()
    }

    @Test(arguments: [
        ("a\r\nX-Own: 1\r\n\r\nb", "a%0D%0AX-Own: 1%0D%0A%0D%0Ab"), ("a\"; b=\"", "a%22; b=%22"),
        ("a\"\u{301}; b=\"\u{301}", "a%22\u{301}; b=%22\u{301}"), ("naïve €", "naïve €"),
    ])
    func aNameStaysBetweenItsQuotationMarks(_ name: String, _ quoted: String) async throws {
        let echo = try await EchoServer.start()
        let part = MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: name, fileName: name)
        _ = try await Provider<AnyTarget>().request(
            target(MultipartFormData(boundary: "xyz", parts: [part]), at: echo.url))
        let line = "Content-Disposition: form-data; name=\"\(quoted)\"; filename=\"\(quoted)\""
        #expect(echo.messages.map(\.body) == ["--xyz\r\n\(line)\r\n\r\n1\r\n--xyz--\r\n"])
        await echo.stop()
    }

    @Test func aFormAndAQueryGoTogether() async throws {
        let echo = try await EchoServer.start()
        let form: MultipartFormData = [MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a")]
        var target = AnyTarget(baseURL: echo.url, method: .put)
        target.task = .uploadCompositeMultipartFormData(form, urlParameters: ["page": 2])
        _ = try await Provider<AnyTarget>().request(target)
        #expect(echo.messages.map(\.target) == ["/things?page=2"])
        #expect(echo.messages.first?.contentType == "multipart/form-data; boundary=\(form.boundary)")
        #expect(echo.messages.first?.body.hasPrefix("--\(form.boundary)\r\n") == true)
        await echo.stop()
    }

    @Test func aFormBeyondItsLimitIsSentFromAFileThatIsRemoved() async throws {
        let echo = try await EchoServer.start()
        let files = try TemporaryDirectory()
        let long = String(repeating: "0123456789", count: 30_000)
        try files.write("long.txt", long)
        let part = MultipartFormBodyPart(provider: .file(URL(fileURLWithPath: "\(files.path)/long.txt")), name: "file")
        let lines = [
            "--xyz", #"Content-Disposition: form-data; name="file"; filename="long.txt""#, "Content-Type: text/plain",
            "", long, "--xyz--", "",
        ]
        let body = lines.joined(separator: "\r\n")
        let watcher = Watcher()
        for limit in [1_000, 400_000] {
            let target = target(MultipartFormData(boundary: "xyz", memoryLimit: limit, parts: [part]), at: echo.url)
            _ = try await Provider<AnyTarget>(networking: watcher).request(target)
            _ = try await Provider<AnyTarget>().request(target)
        }
        #expect(watcher.contents.elements == [Data(body.utf8), Data(body.utf8)])
        #expect(echo.messages.map(\.body) == [body, body])
        let file = try #require(watcher.files.elements.first ?? nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(watcher.files.elements.last == .some(nil))
        await echo.stop()
    }

    @Test func twoFormsWithoutABoundaryHaveDifferentOnes() {
        let part = MultipartFormBodyPart(provider: .data(Data()), name: "a")
        let (one, other): (MultipartFormData, MultipartFormData) = ([part], [part])
        #expect(one.boundary != other.boundary)
        #expect(one.memoryLimit == 1_048_576)
    }

    @Test func aBoundaryThatIsNoTokenIsQuoted() {
        let form = MultipartFormData(boundary: "a b:c", parts: [])
        #expect(form.contentType == #"multipart/form-data; boundary="a b:c""#)
    }

    @Test func whatIsNoFormSaysWhy() async {
        let url = AnyTarget.unsent.baseURL
        let part = MultipartFormBodyPart(provider: .data(Data()), name: "a")
        var get = target([part], at: url)
        get.method = .get
        #expect(
            await failure(get)
                == Self.cannot + "GET does not send a multipart form: POST, PUT, PATCH and CONNECT do")
        #expect(
            await failure(target([], at: url))
                == Self.cannot + "a multipart form has one part at least (RFC 2046 §5.1)")
        #expect(
            await failure(target(MultipartFormData(boundary: "a\"", parts: [part]), at: url))
                == Self.cannot
                + #""a\"" is not a boundary: that is 1 to 70 characters of A-Z a-z 0-9 '()+_,-./:=? or a space, which is not the last (RFC 2046 §5.1.1)"#
        )
        #expect(
            await failure(target([MultipartFormBodyPart(provider: .data(Data()), name: "")], at: url))
                == Self.cannot + "a part of a form has a name (RFC 7578 §4.2)")
        let type = MultipartFormBodyPart(provider: .data(Data()), name: "a", mimeType: "text/plain\r\nX: 1")
        #expect(
            await failure(target([type], at: url))
                == Self.cannot + #"part "a": "text/plain\r\nX: 1" is not a media type"#)
    }

    @Test func aPartWhoseFileIsNotThereSaysSo() async throws {
        let echo = try await EchoServer.start()
        let part = MultipartFormBodyPart(provider: .file(URL(fileURLWithPath: "/nowhere/a.txt")), name: "a")
        #expect(
            await failure(target([part], at: echo.url))
                == Self.cannot + #"part "a": /nowhere/a.txt: there is no such file"#)
        #expect(echo.messages.isEmpty)
        await echo.stop()
    }

    @Test func aFileThatCannotBeUploadedSaysWhy() async throws {
        let files = try TemporaryDirectory()
        var target = AnyTarget.unsent
        target.method = .put
        target.task = .uploadFile(URL(fileURLWithPath: "\(files.path)/none.txt"))
        #expect(await failure(target) == Self.cannot + "\(files.path)/none.txt: there is no such file")
        target.task = .uploadFile(URL(fileURLWithPath: files.path))
        #expect(await failure(target) == Self.cannot + "\(files.path): this is a folder")
        target.task = .uploadFile(AnyTarget.unsent.baseURL)
        #expect(
            await failure(target)
                == Self.cannot + "http://api.example.com: what is sent from a file needs a file URL")
    }
}
