// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Harmless {
    static let lines: [(String, String)] = [
        ("ETag", "\"" + made("<b43>", 210) + "=\""),
        ("Content-Type", "multipart/form-data; boundary=----" + made("<a26>", 211)),
        ("X-Request-Id", made("<u32>", 212)), ("X-Amz-Cf-Id", made("<u54>", 213) + "=="),
        ("x-amz-id-2", made("<b75>", 214) + "="), ("CF-RAY", made("<h16>", 215) + "-FRA"),
        (
            "Report-To",
            "{\"endpoints\":[{\"url\":\"https://a.nel.cloudflare.com/report/v4?s=" + made("<a90>", 216)
                + "\"}],\"group\":\"cf-nel\"}"
        ),
        (
            "Content-Security-Policy",
            "script-src 'nonce-" + made("<u32>", 217) + "' 'sha256-" + made("<b43>", 218) + "='"
        ), ("Digest", "SHA-256=" + made("<b43>", 219) + "="),
        ("Repr-Digest", "sha-256=:" + made("<b43>", 220) + "=:"),
        ("x-goog-hash", "crc32c=" + made("<b6>", 221) + "==,md5=" + made("<b22>", 222) + "=="),
        ("X-GUploader-UploadID", made("<u84>", 223)), ("Sec-WebSocket-Accept", made("<b27>", 224) + "="),
        ("traceparent", "00-" + made("<h32>", 225) + "-" + made("<h16>", 226) + "-01"),
        ("WWW-Authenticate", "Bearer realm=\"Articles\", error=\"invalid_token\""),
        ("Access-Control-Allow-Headers", "Authorization, X-Api-Key, X-Csrf-Token"),
        ("Location", "/articles/42?page=2#comments"),
        ("Location", "https://example.com/2026/11/22/an-article-on-tokens"),
        ("Link", "<https://api.example.com/items?cursor=" + made("<u40>", 227) + ">; rel=\"next\""),
        ("Link", "<https://api.example.com/contents?page%5Bnumber%5D=2>; rel=\"next\""),
        ("Server-Timing", "db;dur=53.2, app;dur=47"), ("Alt-Svc", "h3=\":443\"; ma=86400"),
        ("Public-Key-Pins", "pin-sha256=\"" + made("<b43>", 228) + "=\"; max-age=5184000"),
        ("Via", "1.1 " + made("<h32>", 229) + ".cloudfront.net (CloudFront)"),
        ("X-RateLimit-Policy", "\"default\";q=100;w=60"), ("X-Azure-Ref", "20261122T130451Z-" + made("<l30>", 230)),
        ("Vary", "Authorization, Cookie"), ("Set-Cookie", "session=; Path=/; Max-Age=0"),
        ("Content-Disposition", "attachment; filename=\"report-2026-11-22-final2.pdf\""),
    ]

    static let paths: [String] = [
        "/api/contents/7102220-a-mock-server", "/users/" + made("<h8>-<h4>-<h4>-<h4>-<h12>"),
        "/orders/" + made("<h24>", 231), "/assets/index-BxK3aZ9q.js",
        "/_next/static/" + made("<a21>", 232) + "/_buildManifest.js", "/commit/" + made("<h40>", 233),
        "/users/" + made("<a28>", 234),
        "/v1/customers/cus_" + made("<a14>", 235), "/password/reset", "/oauth/token", "/auth/login",
        "/invite/team-2026", "/verify/email", "/reset/password", "/token/erc20-usdc", "/tokens/USDC", "/login/callback",
        "/confirm/order-12345", "/2026/11/22/an-article", "/maps/9F4MGC2M+H4",
        "/watch/" + made("<a11>", 236), "/graphql/articleBySlugWithComments2",
        "/files/HeroImage2024FinalVersion_xK9.jpg", "/join/us", "/auth/realms/shop2026",
        "/webhooks/Test-Update_a_webhook_returns_OK_response-1652349062", "/keys/test-key-for-List_all_APIs-1776888948",
    ]
}
