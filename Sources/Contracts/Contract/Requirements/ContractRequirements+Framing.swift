// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    /// Messages of HTTP/1.1 whose framing is broken in a way that looks like a right one, each of a server of its own.
    static let framings =
        [
            broken(
                "fault.chunk.end", "a chunk ends with CR and LF, and no other bytes (RFC 9112 §7.1)",
                chunked("5\r\nhelloXX0\r\n\r\n")),
            broken(
                "fault.chunk.plus", "a chunk's size has no sign (RFC 9112 §7.1)",
                chunked("+5\r\nhello\r\n0\r\n\r\n")),
            broken(
                "fault.chunk.prefix", "a chunk's size has no 0x (RFC 9112 §7.1)",
                chunked("0x5\r\nhello\r\n0\r\n\r\n")),
            broken(
                "fault.chunk.digits", "a chunk's size has digits alone (RFC 9112 §7.1)",
                chunked("0_5\r\nhello\r\n0\r\n\r\n")),
            broken("fault.chunk.size", "a chunk has a size (RFC 9112 §7.1)", chunked("\r\nhello\r\n0\r\n\r\n")),
            broken(
                "fault.chunk.overflow", "a chunk shorter than its size, beyond 64 bits, is an error (RFC 9112 §7.1)",
                chunked("10000000000000005\r\nhello\r\n0\r\n\r\n"), isOfOtherProcesses: true),
            broken(
                "fault.chunk.last", "a body without its last chunk is an error (RFC 9112 §8)",
                chunked("5\r\nhello\r\n")),
            broken(
                "fault.length.plus", "a length has no sign (RFC 9112 §6.3)",
                success("Content-Length: +5\r\n", "hello")),
            broken(
                "fault.length.minus", "a length is not below 0 (RFC 9112 §6.3)",
                success("Content-Length: -1\r\n", "hello")),
            broken(
                "fault.length.digits", "a length has digits alone (RFC 9112 §6.3)",
                success("Content-Length: 0_5\r\n", "hello")),
            broken(
                "fault.length.two", "two lengths that differ are an error (RFC 9112 §6.3)",
                success("Content-Length: 5\r\nContent-Length: 7\r\n", "hello!!")),
            broken(
                "fault.length.overflow", "content shorter than its length, beyond 64 bits, is an error (RFC 9112 §6.3)",
                success("Content-Length: 18446744073709551621\r\n", "hello"), isOfOtherProcesses: true),
            broken(
                "fault.length.list", "a list of lengths that differ is an error (RFC 9112 §6.3)",
                success("Content-Length: 5, 7\r\n", "hello!!"), isOfOtherProcesses: true),
            // Another at which URLSession on Linux ends its process.
            broken(
                "fault.head", "a head that is cut off is an error (RFC 9112 §8)",
                "HTTP/1.1 200 OK\r\nContent-Type: te", isOfOtherProcesses: true),
        ]

    /// Framing that is right and seldom seen; if the RFC lets a client refuse it, an error says that it does.
    static let rareFramings = [
        framed(
            "answer.chunks.letters", "chunks may be counted by letters, and the last by zeros (RFC 9112 §7.1)",
            success("Transfer-Encoding: Chunked\r\n", "A\r\nfinal text\r\n0a\r\n, and more\r\n00000\r\n\r\n"),
            body: "final text, and more"),
        framed(
            "answer.reason", "a status line may have no reason (RFC 9112 §4)",
            "HTTP/1.1 200 \r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nfinal", isOfOtherProcesses: true),
        framed(
            "answer.field.blanks", "blanks around a value do not belong to it, and may be missing (RFC 9112 §5)",
            success("X-Contract:\t1 \t\r\nContent-Length:5\t \r\n", "final"), keepsConnection: true,
            isOfOtherProcesses: true),
        framed(
            "answer.case", "field names are of any letters (RFC 9110 §5.1)",
            success("cONTENT-lENGTH: 5\r\n", "final"), keepsConnection: true),
        framed(
            "answer.longer", "what comes behind the announced length is not content (RFC 9112 §6.3)",
            success("Content-Length: 5\r\n", "final and more"), mayRefuse: true),
        framed(
            "answer.both", "of a length and chunks the chunks count, or it is an error (RFC 9112 §6.3)",
            success("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "5\r\nfinal\r\n0\r\n\r\n"), mayRefuse: true),
        framed(
            "answer.lengths", "a length that is said twice is one, or an error (RFC 9112 §6.3)",
            success("Content-Length: 5\r\nContent-Length: 5\r\n", "final"), mayRefuse: true),
        framed(
            "answer.folded", "a field that is folded is one field, or an error (RFC 9112 §5.2)",
            success("X-Contract: a\r\n b\r\nContent-Length: 5\r\n", "final"), mayRefuse: true),
        unmodified(
            "status.304.length", "the length of a 304 is not waited for (RFC 9110 §8.6)",
            "Content-Length: 1000\r\n"),
        unmodified(
            "status.304.chunked", "chunks that 304 announces are not waited for (RFC 9112 §6.1)",
            "Transfer-Encoding: chunked\r\n"),
        passedOver(
            "connection.content",
            "the content of a redirection is read before the connection is used again (RFC 9112 §9.3)",
            "Content-Length: 5000\r\n", String(repeating: "<p>moved</p>", count: 416) + "<br><br>"),
        passedOver(
            "connection.trailers", "trailers are read before the connection is used again (RFC 9112 §7.1.2)",
            "Transfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n",
            "5\r\nmoved\r\n0\r\nX-Trailer: behind\r\nX-Other: too\r\n\r\n", isOfOtherProcesses: true),
        closing, closingByVersion, last, idle, lastPut, idlePut,
    ]

    private static func success(_ fields: String, _ content: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\(fields)\r\n\(content)"
    }

    private static func chunked(_ content: String) -> String { success("Transfer-Encoding: chunked\r\n", content) }

    /// A requirement on a response that is written byte by byte; of HTTP/2 it asks nothing.
    private static func written(
        _ id: String, _ title: String, expected: String, isOfOtherProcesses: Bool = false,
        _ change: (inout Step) -> Void = { $0.timeout = 5 }, _ place: (Step) -> Requirement.Place,
        judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) -> Requirement {
        var requirement = ofTheWire(id, title, expected: expected, change, stubs: { _ in [] }) { evidence in
            Judging.onHTTP1(evidence) { judge(evidence) }
        }
        requirement.place = place(requirement.step)
        requirement.isOfOtherProcesses = isOfOtherProcesses
        return requirement
    }

    private static func broken(
        _ id: String, _ title: String, _ http1: String, isOfOtherProcesses: Bool = false
    ) -> Requirement {
        var requirement = written(
            id, title, expected: "an error: \(Judging.names(Judging.broken))", isOfOtherProcesses: isOfOtherProcesses
        ) { _ in
            .wire(RawResponse(body: "hello", http1: http1))
        } judge: { evidence in
            Judging.failure(evidence, Judging.broken)
        }
        requirement.failures = Judging.broken
        return requirement
    }

    private static func framed(
        _ id: String, _ title: String, _ http1: String, body: String = "final", mayRefuse: Bool = false,
        keepsConnection: Bool = false, isOfOtherProcesses: Bool = false
    ) -> Requirement {
        written(
            id, title, expected: "200, \(body.utf8.count) bytes as they were sent",
            isOfOtherProcesses: isOfOtherProcesses
        ) { _ in
            .wire(RawResponse(body: body, http1: http1, keepsConnection: keepsConnection))
        } judge: { evidence in
            Judging.outcome(evidence) { outcome in
                if mayRefuse, let failure = outcome.failure, Judging.broken.contains(failure) || failure == .other {
                    return .notApplicable("the client refuses it: \(outcome.summary)")
                }
                return Judging.response(evidence, 200, Array(body.utf8))
            }
        }
    }

    private static func unmodified(_ id: String, _ title: String, _ field: String) -> Requirement {
        written(
            id, title, expected: "304, 0 bytes",
            { step in
                step.headers = [("If-None-Match", "\"contract\"")]
                step.timeout = 3
            }
        ) { _ in
            let http1 = "HTTP/1.1 304 Not Modified\r\nETag: \"contract\"\r\n\(field)\r\n"
            return .wire(RawResponse(304, http1: http1, keepsConnection: true))
        } judge: { evidence in
            Judging.response(evidence, 304, [])
        }
    }

    private static let there = RawResponse(body: "there")

    /// A redirection that keeps its connection, so that bytes a client leaves unread stand in front of its next response.
    private static func passedOver(
        _ id: String, _ title: String, _ fields: String, _ content: String, isOfOtherProcesses: Bool = false
    ) -> Requirement {
        redirecting(id, title, fields, content, isOfOtherProcesses: isOfOtherProcesses) {
            Judging.response($0, 200, Array("there".utf8))
        }
    }

    private static func found(_ step: Step, _ fields: String, _ content: String, version: String) -> RawResponse {
        let place = "\(step.path)/there"
        return RawResponse(
            302, headers: ["Location": place],
            http1: "\(version) 302 Found\r\nLocation: \(place)\r\n\(fields)\r\n\(content)", keepsConnection: true)
    }

    private static func redirecting(
        _ id: String, _ title: String, _ fields: String, _ content: String, version: String = "HTTP/1.1",
        isOfOtherProcesses: Bool = false, _ judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) -> Requirement {
        written(
            id, title, expected: "the next response as it was sent", isOfOtherProcesses: isOfOtherProcesses
        ) { step in
            .wire(found(step, fields, content, version: version), there: there)
        } judge: { evidence in
            if evidence.outcomes.first?.status == 302 { return .notApplicable("the redirection is not followed") }
            return judge(evidence)
        }
    }

    /// The server says that it ends the connection, and does not: a client that uses it again does so against its word.
    private static let closing = redirecting(
        "connection.close", "a connection that Connection: close ends is not used again (RFC 9112 §9.6)",
        "Content-Length: 0\r\nConnection: X-Contract, Close\r\n", "", leftAlone)

    /// A connection of HTTP/1.0 ends with its response, unless both say otherwise.
    private static let closingByVersion = redirecting(
        "connection.http10", "a connection of HTTP/1.0 is not used again (RFC 9112 §9.3)", "Content-Length: 0\r\n", "",
        version: "HTTP/1.0", isOfOtherProcesses: true, leftAlone)

    @Sendable private static func leftAlone(_ evidence: StepEvidence) -> Judgement {
        let connections = evidence.entries.map(\.connection)
        guard Set(connections).count == connections.count else { return .fail("a request on the same connection") }
        return Judging.response(evidence, 200, Array("there".utf8))
    }

    /// A server that ends a connection which is idle, as each does, only sooner.
    private static let last = final(
        "connection.last", "a server that soon ends idle connections is asked as any other (RFC 9112 §9.3)"
    ) {
        $0.idle = .milliseconds(300)
    }

    /// The next request of the same client to the same server.
    private static let idle = final(
        "connection.idle", "a GET is answered although its connection has ended meanwhile (RFC 9112 §9.3.1)"
    ) {
        $0.servedWith = last.id
    }

    /// The same, so that the next request finds a connection that has ended, too.
    private static let lastPut = final(
        "connection.last.put", "a response on a connection that soon ends arrives whole, before a PUT (RFC 9112 §9.3)"
    ) {
        $0.idle = .milliseconds(300)
    }

    /// A client that repeats a request sends all of it again (nodejs/undici#470).
    private static var idlePut: Requirement {
        let content = Array("content".utf8)
        var requirement = ofTheWire(
            "connection.idle.put", "a PUT that is sent again has its content again (RFC 9112 §9.3.1)",
            expected: "7 bytes with each request",
            { step in
                step.method = "PUT"
                step.body = content
                step.headers = [("Content-Type", "text/plain")]
                step.timeout = 5
                step.servedWith = lastPut.id
            }, stubs: { _ in [] }
        ) { evidence in
            guard let outcome = evidence.outcomes.first else { return .fail("the client reported nothing") }
            if let other = evidence.entries.first(where: { $0.body != content }) {
                return .fail(Counts.count(other.bodySize, "byte"))
            }
            if let failure = outcome.failure, Judging.broken.contains(failure) {
                return .notApplicable("the client reports an error, as it may: \(outcome.summary)")
            }
            return Judging.onHTTP1(evidence) { Judging.response(evidence, 200, Array("final".utf8)) }
        }
        requirement.place = .wire(RawResponse(body: "final"))
        requirement.isOfOtherProcesses = true
        return requirement
    }

    private static func final(_ id: String, _ title: String, _ change: (inout Step) -> Void) -> Requirement {
        written(
            id, title, expected: "200, 5 bytes as they were sent", isOfOtherProcesses: true,
            { step in
                step.timeout = 5
                change(&step)
            }
        ) { _ in
            .wire(RawResponse(body: "final"))
        } judge: { evidence in
            Judging.response(evidence, 200, Array("final".utf8))
        }
    }
}
