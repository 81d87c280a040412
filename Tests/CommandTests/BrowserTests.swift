// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A page of another origin in a browser, where there is one: Debian's `chromium`.
@Suite(.supervised, .enabled(Chromium.isMissing) { await Chromium.meetsPages() })
struct BrowserTests {
    /// A page that asks the API, and shows what came.
    private static func page(asking base: String) -> String {
        """
        <!DOCTYPE html><title>app</title><body><script>
        const seen = [];
        async function attempt(name, path, options) {
            try {
                const answer = await fetch("\(base)" + path, options);
                seen.push(`${name}: ${answer.status} ${(await answer.text()).split("\\n")[0]}`);
            } catch (error) {
                seen.push(`${name}: refused`);
            }
        }
        async function run() {
            await attempt("answer", "/api/article");
            const headers = { "Content-Type": "application/json", "X-App": "1" };
            await attempt("post", "/api/articles", { method: "POST", headers, body: '{"title": "News"}' });
            await attempt("miss", "/api/nothing");
            await attempt("journal", "/__admin/requests");
            await attempt("reset", "/__admin/reset", { method: "POST" });
            document.body.textContent = `[${seen.join("; ")}]`;
        }
        run();
        </script>
        """
    }

    @Test func `a page fetches a response, a preflighted POST and a miss, and is refused the journal`() async throws {
        let directory = try TemporaryDirectory([
            "api/article.stub.json":
                #"{"request": {"method": "GET", "urlPath": "/api/article"}, "response": {"body": "News"}}"#,
            "api/articles.POST.stub.json": #"""
            {"request": {"method": "POST", "urlPath": "/api/articles", "headers": {"X-App": {"equalTo": "1"}},
              "bodyPatterns": [{"equalToJson": {"title": "News"}}]}, "response": {"status": 201, "body": "made"}}
            """#,
        ])
        let api = try Command(["serve", directory.path, "--port", "0", "--cors"])
        let port = try await api.port()
        let pages = try TemporaryDirectory(["index.html": Self.page(asking: "http://127.0.0.1:\(port)")])
        let app = try Command(["serve", pages.path, "--port", "0"])
        let profile = try TemporaryDirectory()
        let browser = try Command(
            line: Chromium.line("http://127.0.0.1:\(try await app.port())/", profile: profile.path),
            environment: ["HOME": profile.path])
        #expect(try await browser.exitCode() == 0)
        let text = browser.output
        #expect(
            text.contains(
                "[answer: 200 News; post: 201 made; miss: 404 404: nothing answers GET /api/nothing; journal: refused; reset: refused]"
            ), "\(text.suffix(2000))")
        // The page was refused, and has changed nothing.
        let journal = try WireClient(port: port).request("GET", "/__admin/requests").text
        for target in ["/api/article", "/api/articles", "/api/nothing"] { #expect(journal.contains("\"\(target)\"")) }
    }
}
