// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Texts as services send them every day, in which nothing is a secret though much looks like one.
enum Innocent {
    static let members: [String] = [
        #""id": "7102220""#, #""id": "01ARZ3NDEKTSV4RRFFQ69G5FAV""#,
        #""id": "Z2lkOi8vc2hvcC9Qcm9kdWN0LzEyMzQ1Njc4OTA=""#,
        #""uuid": "123e4567-e89b-12d3-a456-426614174000""#, #""request_id": "F9F1:2A3B4C:1D2E3F4:5A6B7C8:6373A1B2""#,
        #""etag": "W/\"33a64df551425fcc55e4d42a148795d9f25f89d4\"""#,
        #""sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e""#,
        #""sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
        #""integrity": "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC""#,
        #""content_hash": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=""#,
        #""end_cursor": "Y3Vyc29yOnYyOpK5MjAyNi0xMS0yMVQxMzoyOTo1N1rOBkM0hQ==""#,
        #""next": "eyJpZCI6NDIsIm9mZnNldCI6MTAwfQ==""#,
        #""cursor": "QVFEbnA3dXRkVkx4Rk1tZ0s2Q1R3aXhoYWpvcVlRS1h2Tnc5""#,
        #""nextPageToken": "CAUQAA2vXf81kLpQ9sTzR7uWmN3bYc5dHeJg""#,
        #""slug": "10-things-about-iOS-17-and-Xcode-15-you-did-not-know-yet""#,
        #""released_at": "2026-10-29T13:04:51.000Z""#,
        #""date": "Sat, 21 Nov 2026 13:29:57 GMT""#,
        #""popularity": 89.68, "duration": 720, "big": 9223372036854775808"#,
        #""card_artwork_url": "https://images.example.com/uploads/2026/a3f5c9d8e7b6a5f4c3d2e1f0a9b8c7d6-1600x900@2x.png?w=1600&q=75&fm=webp""#,
        #""image": "https://cdn.example.com/w_1600,f_auto/v1612345678/Blog/HeroImage2024Final_xK9.jpg""#,
        #""path": "/rails/active_storage/blobs/redirect/photo.jpg""#,
        #""thumbnail": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==""#,
        #""preview": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==""#,
        #""blurhash": "LEHV6nWB2yk8pyo0adR*.7kCMdnj""#, ##""color": "#a3F5c9""##,
        #""version": "1.24.0-beta.3+build.20261121""#,
        #""class": "applicationDidFinishLaunchingWithOptionsAndSomeMoreWords2""#, #""key": "articles.list.title""#,
        #""key": "PROJ-1234""#, #""keys": ["alpha", "beta"]"#, #""session": "morning""#, #""auth": "required""#,
        #""signature": "func load(from url: URL) async throws -> Data""#, #""credentials": "same-origin""#,
        #""code": "invalid_credentials""#,
        #""code": 404"#, #""code": "USD""#, #""token": null, "password": null, "secret": false, "api_key": """#,
        #""token_type": "Bearer", "expires_in": 3600"#,
        #""errors": {"password": ["is too short"], "token": ["can't be blank"]}"#,
        #""errors": [{"title": "Token", "detail": "The token is invalid: token=abc"}]"#, #""pin": true"#,
        #""pinned": "1234""#,
        #""description": "Basic information about Bearer tokens: send Authorization: Bearer YOUR_TOKEN, or ?token=<token> in the query.""#,
        #""html": "<p>Set <code>API_KEY=your-key</code> &amp; run.</p>\n<a href=\"/a?page=2&amp;sort=asc\">more</a>""#,
        #""text": "Write to ann@example.com or https://example.com:8443/@ann; 10:30:00; a::b; x => y; 3 > 2""#,
        #""clone": "https://github.example.com/ann/mock.git""#, #""doc": "postgres://user:password@localhost/db""#,
        #""sk": "sk-circle-fade-dot-animated-spinner-large", "AC": "ACcount", "m": "Mountains.and.Oceans.are.NOT.tokens""#,
        #""mac": "00:1A:2B:3C:4D:5E", "ip": "2001:db8::ff00:42:8329", "isbn": "978-3-16-148410-0""#,
        #""youtube": "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "place_id": "ChIJN1t_tDeuEmsRUsoyG83frY4""#,
        #""unsplash": "https://images.unsplash.com/photo-1503023345310-bd7c1de61c7d?ixid=M3wxMjA3fDB8MHxwaG90by1wYWdlfHx8fGVufDB8fHx8fA%3D%3D""#,
        #""public_key": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----""#,
        #""commit": "merge 6dcb09b into 7f3a2c1", "emoji": "👩‍👩‍👧 ✓", "escaped": "\u003cp\u003eA \u0026 B\u003c/p\u003e \/ \\ \t""#,
        #""uri": "example://press/post/311000", "xsrf_enabled": true, "secretary": "Ann", "tokens": 128, "max_tokens": 4096"#,
        #""author": "Author0123456789", "monkey": "Monkey0123456789abcdef", "authorized_by": "Ann Bolton 1234567890""#,
    ]

    static var json: String { "{\n" + members.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n" }

    static let page = """
        <!doctype html>
        <html lang="en" class="no-js theme-dark2 Layout-main--wide_Content-2024">
        <head>
        <link rel="stylesheet" href="/assets/app-3f2a9c81d7.css?v=20261121" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" crossorigin="anonymous">
        <script src="https://cdn.example.com/npm/vue@3.4.21/dist/vue.global.prod.js" defer></script>
        <style>.a > .b { color: #fff; background: url("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"); }</style>
        </head>
        <body data-turbo="false" id="contentMainArea2AndSidebarLeft1AndFooterBottom3">
        <form action="/session"><input type="password" name="password" placeholder="Password" autocomplete="current-password">
        <input name="token" value=""><label for="token">Token: paste it here</label></form>
        <a href="/articles?filter[content_types][]=article&amp;page[number]=2&amp;sort=-released_at">Next</a>
        <p>Time: 13:29:57. Ratio 16:9. Use a = b; let key = "value"; if x >= 3 { return key: value }</p>
        <svg viewBox="0 0 10 10"><path d="M10 10H90V90H10Z M20,20c0-5.5,4.5-10,10-10" fill="#A1B2C3"/></svg>
        </body></html>

        """

    static let queries: [(String, String)] = [
        ("filter[content_types][]", "article"), ("page[number]", "2"), ("q", "what is a token? Bearer tokens"),
        ("code", "US"),
        ("cursor", "QVFEbnA3dXRkVkx4Rk1tZ0s2Q1R3aXhoYWpvcVlRS1h2Tnc5"), ("id", "123e4567-e89b-12d3-a456-426614174000"),
        ("key", "title"),
        ("v", "6dcb09b5b57875f334f61aebed695e2e4193db5e"), ("since", "2026-10-29T13:04:51.000Z"),
        ("session", "morning"),
        ("url", "https://images.example.com/uploads/2026/aurora.png"),
        ("pageToken", "CAUQAA2vXf81kLpQ9sTzR7uWmN3bYc5dHeJg"), ("token", ""),
    ]

    static let headers: [(String, String)] = [
        ("ETag", "\"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\""),
        ("Content-Type", "multipart/form-data; boundary=----aB3dE5gH7jK9mN1pQ3sT5vX7z"),
        ("Cache-Control", "max-age=3600, stale-while-revalidate=60"), ("Vary", "Authorization, Cookie"),
        ("Set-Cookie", "session=; Path=/; Max-Age=0"),
        ("WWW-Authenticate", "Bearer realm=\"Articles\", error=\"invalid_token\""),
        ("Access-Control-Allow-Headers", "Authorization, X-Api-Key"),
        ("Access-Control-Allow-Credentials", "true"), ("X-Request-Id", "123e4567-e89b-12d3-a456-426614174000"),
        ("Link", "<https://api.example.com/contents?page%5Bnumber%5D=2>; rel=\"next\""),
        ("Location", "/articles/42?page=2#comments"),
        (
            "Content-Security-Policy",
            "default-src 'self'; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
        ),
        ("Last-Modified", "Sat, 21 Nov 2026 13:29:57 GMT"), ("Server-Timing", "db;dur=53.2, app;dur=47"),
        ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzhZRbK+xOo="),
    ]
}
