// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream

/// Exchanges as apps have them with services, made of a seed: flows whose requests come in their order, whatever comes between them.
struct Traffic {
    struct Call {
        var method = "GET"
        var target: String
        var fields: [UpstreamField] = []
        var body: [UInt8] = []
        var answer: Answer
    }

    /// The calls of a flow come one after the other.
    private(set) var flows: [[Call]] = []
    private var random: SplitMix

    init(_ count: Int, seed: UInt64) {
        random = SplitMix(seed: seed)
        let makers: [(inout Traffic, Int) -> [Call]] = [
            { $0.listing($1) }, { $0.item($1) }, { $0.search($1) }, { $0.session($1) }, { $0.graph($1) },
            { $0.creation($1) }, { $0.upload($1) }, { $0.asset($1) }, { $0.failure($1) }, { $0.form($1) },
            { $0.event($1) }, { $0.download($1) }, { $0.language($1) }, { $0.job($1) }, { $0.page($1) },
            { $0.account($1) },
        ]
        var made = 0
        while made < count {
            var flow = makers[flows.count % makers.count](&self, flows.count)
            flow = Array(flow.prefix(count - made))
            made += flow.count
            flows.append(flow)
        }
    }

    /// All calls, those of a flow in their order and flows among each other as a seed has it.
    func order(_ seed: UInt64) -> [Call] {
        var random = SplitMix(seed: seed)
        var rest = flows.map { $0[...] }
        var calls: [Call] = []
        while !rest.isEmpty {
            let index = Int(random.next() % UInt64(rest.count))
            if let call = rest[index].popFirst() { calls.append(call) }
            if rest[index].isEmpty { rest.swapAt(index, rest.count - 1) }
            if rest.last?.isEmpty == true { rest.removeLast() }
        }
        return calls
    }

    // MARK: Values

    private mutating func number(_ range: Range<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.count))
    }

    private mutating func letters(_ count: Int) -> String {
        let all = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<count).map { _ in all[number(0..<all.count)] })
    }

    private mutating func words(_ count: Int) -> String {
        let all = [
            "wave", "harbour", "quiet", "lantern", "Straße", "été", "north", "paper", "stone", "\\\"quoted\\\"",
            "line\\n",
            "東京", "a/b", "100 %", "<b>", "&amp;",
        ]
        return (0..<count).map { _ in all[number(0..<all.count)] }.joined(separator: " ")
    }

    private mutating func object(_ id: Int, depth: Int = 2) -> String {
        var members = ["\"id\":\(id)", "\"title\":\"\(words(3))\"", "\"price\":\(number(1..<999)).\(number(10..<99))0"]
        members.append("\"active\":\(number(0..<2) == 0)")
        members.append("\"deleted_at\":null")
        members.append("\"tags\":[\((0..<number(0..<4)).map { _ in "\"\(words(1))\"" }.joined(separator: ","))]")
        if depth > 0 { members.append("\"author\":\(object(id + 1, depth: depth - 1))") }
        return "{\(members.joined(separator: ","))}"
    }

    private static let json = UpstreamField("Content-Type", "application/json")

    private func answer(_ body: String, _ fields: UpstreamField..., status: Int = 200) -> Answer {
        var answer = Answer.json(body)
        answer.status = status
        answer.fields += fields
        return answer
    }

    // MARK: Flows

    private mutating func listing(_ flow: Int) -> [Call] {
        (1...3).map { page in
            let items = (0..<number(1..<6)).map { _ in object(number(1..<10_000)) }.joined(separator: ",")
            return Call(
                target: "/v1/lists/\(flow)?page%5Bnumber%5D=\(page)&sort=-created",
                answer: answer(
                    #"{"data":[\#(items)],"meta":{"page":\#(page),"total":\#(number(10..<90))}}"#,
                    UpstreamField("Link", "<https://api.example.com/v1/lists/\(flow)?page=\(page + 1)>; rel=\"next\""),
                    UpstreamField("ETag", "W/\"\(number(1..<9_999_999))\"")))
        }
    }

    private mutating func item(_ flow: Int) -> [Call] {
        let body = object(flow)
        let call = Call(target: "/v1/items/\(flow)", answer: answer(body, UpstreamField("Cache-Control", "no-cache")))
        var head = call
        head.method = "HEAD"
        head.answer.body = []
        return [call, call, head]
    }

    private mutating func search(_ flow: Int) -> [Call] {
        ["%C3%A9t%C3%A9", "a+b", "100%25", "x%26y"].map { text in
            Call(
                target: "/search/\(flow)?q=\(text)&tag=a&tag=b&empty=",
                answer: answer("[\(number(0..<99)),\(object(number(0..<99), depth: 0))]"))
        }
    }

    /// Signing in, being asked by cookie and by token, and a password that is refused.
    private mutating func session(_ flow: Int) -> [Call] {
        let name = "user\(flow)"
        let password = "Pw-\(letters(9))-1"
        let token = letters(32)
        let sid = letters(26)
        func login(_ password: String) -> [UInt8] {
            Array(#"{"user":{"email":"\#(name)@example.com","password":"\#(password)"}}"#.utf8)
        }
        let path = "/auth/\(flow % 3)"
        let me = "/auth/\(flow % 3)/me"
        let both = [
            UpstreamField("Authorization", "Bearer \(token)"), UpstreamField("Cookie", "theme=dark; sid=\(sid)"),
        ]
        return [
            Call(target: me, answer: answer(#"{"error":"sign in"}"#, status: 401)),
            Call(
                method: "POST", target: path, fields: [Self.json], body: login("wrong-\(number(1..<99))"),
                answer: answer(#"{"error":"refused"}"#, status: 401)),
            Call(
                method: "POST", target: path, fields: [Self.json], body: login(password),
                answer: answer(
                    #"{"access_token":"\#(token)","expires_in":3600}"#,
                    UpstreamField("Set-Cookie", "sid=\(sid); Path=/; HttpOnly"))),
            Call(target: me, fields: both, answer: answer(#"{"name":"\#(name)","n":\#(flow)}"#)),
            Call(
                target: "\(me)/settings", fields: both, answer: answer(#"{"of":"\#(name)","theme":"dark"}"#)),
        ]
    }

    private mutating func graph(_ flow: Int) -> [Call] {
        (1...3).map { number in
            let query = #"query Article($id: ID!) { article(id: $id) { title } }"#
            return Call(
                method: "POST", target: "/graphql", fields: [Self.json],
                body: Array(
                    #"{"operationName":"Article","query":"\#(query)","variables":{"id":"\#(flow)-\#(number)"}}"#.utf8),
                answer: answer(#"{"data":{"article":\#(object(number, depth: 1))}}"#))
        }
    }

    private mutating func creation(_ flow: Int) -> [Call] {
        let created = object(flow)
        return [
            Call(
                method: "POST", target: "/v1/notes/\(flow)", fields: [Self.json],
                body: Array(#"{"title":"\#(words(2))","n":\#(number(1..<9))}"#.utf8),
                answer: answer(
                    created, UpstreamField("Location", "https://api.example.com/v1/notes/\(flow)/1"), status: 201)),
            Call(target: "/v1/notes/\(flow)/1", answer: answer(created)),
            Call(method: "DELETE", target: "/v1/notes/\(flow)/1", answer: Answer(status: 204)),
        ]
    }

    private mutating func upload(_ flow: Int) -> [Call] {
        let boundary = "----b\(letters(12))"
        let head = "--\(boundary)\r\nContent-Disposition: form-data; name="
        var body = Array("\(head)\"title\"\r\n\r\n\(flow) wave\r\n".utf8)
        body += Array("\(head)\"f\"; filename=\"\(flow).jpg\"\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        body += [0xFF, 0xD8, 0xFF, 0xE0] + (0..<number(10..<2000)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        body += Array("\r\n--\(boundary)--\r\n".utf8)
        return [
            Call(
                method: "POST", target: "/uploads",
                fields: [UpstreamField("Content-Type", "multipart/form-data; boundary=\(boundary)")], body: body,
                answer: answer(#"{"stored":\#(flow)}"#, status: 201))
        ]
    }

    private mutating func asset(_ flow: Int) -> [Call] {
        let bytes =
            [UInt8]([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + (0..<number(20..<4000)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        return [
            Call(
                target: "/assets/\(flow).png?w=\(number(10..<900))",
                answer: Answer(fields: [UpstreamField("Content-Type", "image/png")], body: bytes)),
            Call(
                target: "/assets/\(flow).css",
                answer: Answer(
                    fields: [UpstreamField("Content-Type", "text/css")],
                    body: Array("a { background: url(https://api.example.com/assets/\(flow).png) }\n".utf8))),
        ]
    }

    private mutating func failure(_ flow: Int) -> [Call] {
        let status = [400, 403, 404, 409, 410, 422, 429, 500, 503][number(0..<9)]
        return [
            Call(
                target: "/v1/broken/\(flow)",
                answer: answer(#"{"error":{"code":"e\#(status)","message":"\#(words(4))"}}"#, status: status)),
            Call(
                target: "/old/\(flow)",
                answer: Answer(
                    status: 302, fields: [UpstreamField("Location", "https://api.example.com/v1/items/\(flow)")])),
        ]
    }

    private mutating func form(_ flow: Int) -> [Call] {
        let type = UpstreamField("Content-Type", "application/x-www-form-urlencoded")
        return ["name=a+b&note=%26&n=\(flow)", "n=\(flow)&secret_code=none&choice=\(words(1).utf8.count)"].map { body in
            Call(
                method: "POST", target: "/forms/\(flow)", fields: [type], body: Array(body.utf8),
                answer: Answer(
                    fields: [UpstreamField("Content-Type", "text/html; charset=utf-8")],
                    body: Array("<!doctype html><p>\(number(1..<99)) \(flow)</p>\n".utf8)))
        }
    }

    /// What a client tells of itself, at another time and with another id each time.
    private mutating func event(_ flow: Int) -> [Call] {
        (1...2).map { _ in
            let id = "0193a1c2-0000-4000-8000-\(String(100_000_000_000 + number(0..<899_999_999), radix: 10))"
            return Call(
                method: "POST", target: "/events/\(flow)", fields: [Self.json],
                body: Array(
                    #"{"name":"open","sentAt":"2026-11-20T10:0\#(number(0..<9)):00.\#(number(100..<999))Z","id":"\#(id)"}"#
                        .utf8),
                answer: Answer(status: 202))
        }
    }

    private mutating func download(_ flow: Int) -> [Call] {
        (1...2).map { _ in
            Call(
                target:
                    "/files/\(flow).txt?Expires=\(1_795_300_000 + number(0..<9999))&Signature=\(letters(40))&_=17951688\(number(10..<99))123",
                answer: Answer(
                    fields: [UpstreamField("Content-Type", "text/plain")], body: Array("file \(flow)\n".utf8)))
        }
    }

    private mutating func language(_ flow: Int) -> [Call] {
        ["de", "en"].map { language in
            Call(
                target: "/hello/\(flow)", fields: [UpstreamField("Accept-Language", language)],
                answer: answer(#""\#(language) \#(flow)""#, UpstreamField("Vary", "Accept-Language")))
        }
    }

    private mutating func job(_ flow: Int) -> [Call] {
        ["queued", "running", "running", "done"].map { state in
            Call(target: "/jobs/\(flow)", answer: answer(#"{"state":"\#(state)","n":\#(flow)}"#))
        }
    }

    /// What one of several keys is answered, of which nothing but themselves tells whose they are.
    private mutating func account(_ flow: Int) -> [Call] {
        let key = UpstreamField("X-Api-Key", letters(30))
        let isRefused = number(0..<3) == 0
        let refused = answer(#"{"error":"no"}"#, status: 403)
        return [
            Call(
                target: "/account/\(flow % 3)", fields: [key],
                answer: isRefused ? refused : answer(#"{"plan":\#(flow),"seats":\#(number(1..<9))}"#))
        ]
    }

    private mutating func page(_ flow: Int) -> [Call] {
        [
            Call(
                target: "/stream/\(flow)",
                answer: Answer(
                    fields: [UpstreamField("Content-Type", "text/event-stream")],
                    body: Array("event: a\ndata: {\"n\":\(flow)}\n\nevent: b\ndata: \(words(2))\n\n".utf8))),
            Call(
                target: "/feed/\(flow).xml",
                answer: Answer(
                    fields: [UpstreamField("Content-Type", "application/rss+xml")],
                    body: Array("<?xml version=\"1.0\"?>\n<rss><item n=\"\(flow)\"/></rss>\n".utf8))),
        ]
    }
}
