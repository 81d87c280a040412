// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A secret of our own making, put together when the tests run: no scanner of a hosting service finds one in this file.
package struct Planted: Sendable {
    /// As findings name it.
    package var kind: String
    /// What must be nowhere.
    package var secret: String
    /// The text it stands in, where that is more than the secret.
    package var text: String

    package init(_ kind: String, _ parts: String..., around: (String) -> String = { $0 }) {
        self.kind = kind
        secret = parts.joined()
        text = around(secret)
    }

    /// Letters and digits at random, the same each time.
    package static func random(_ count: Int, from alphabet: String = Self.letters, seed: UInt64 = 1) -> String {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let characters = Array(alphabet)
        return String(
            (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return characters[Int(state >> 33) % characters.count]
            })
    }

    package static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    package static let hexadecimal = "0123456789abcdef"
    package static let capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    package static let webToken =
        "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + "." + "ey" + "JzdWIiOiI0MiIsIm5hbWUiOiJBbm4ifQ" + "."
        + random(43, seed: 7)

    /// One of each shape that is known.
    package static let shapes: [Planted] = [
        Planted("a JSON Web Token", webToken),
        Planted("a GitHub token", "gh", "p_", random(36)), Planted("a GitHub token", "gh", "o_", random(36, seed: 2)),
        Planted("a GitHub token", "github", "_pat_", random(22), "_", random(59)),
        Planted("a GitLab token", "gl", "pat-", random(20)), Planted("an npm token", "np", "m_", random(36)),
        Planted("a PyPI token", "py", "pi-", "AgEIcHlwaS5vcmc", random(60)),
        Planted("a RubyGems key", "ruby", "gems_", random(48, from: hexadecimal)),
        Planted("a Docker token", "dckr", "_pat_", random(27)), Planted("a Hugging Face token", "h", "f_", random(34)),
        Planted("a key of a language model's API", "s", "k-", "proj-", random(48)),
        Planted("a key of a language model's API", "s", "k-", "ant-api03-", random(48, seed: 3)),
        Planted("a Linear key", "lin", "_api_", random(40)), Planted("a Notion token", "secret", "_", random(43)),
        Planted("a Notion token", "nt", "n_", random(46)), Planted("an Atlassian token", "ATA", "TT3", random(60)),
        Planted("a Figma token", "fig", "d_", random(40)),
        Planted("an age key", "AGE-", "SECRET-KEY-1", random(58, from: capitals)),
        Planted("an AWS access key", "AK", "IA", random(16, from: capitals)),
        Planted("an AWS access key", "AS", "IA", random(16, from: capitals, seed: 4)),
        Planted("a Google API key", "AI", "za", random(35)), Planted("a Google access token", "ya", "29.", random(60)),
        Planted("a Google client secret", "GOC", "SPX-", random(28)),
        Planted("a Google refresh token", "1/", "/0", random(60)),
        Planted("an Azure key", "Account", "Key=", random(86), "=="),
        Planted("a DigitalOcean token", "dop", "_v1_", random(64, from: hexadecimal)),
        Planted("a Heroku key", "HR", "KU-", random(36)),
        Planted("a Databricks token", "da", "pi", random(32, from: hexadecimal)),
        Planted("a Vault token", "hv", "s.", random(90)), Planted("a Doppler token", "dp", ".pt.", random(43)),
        Planted("a Supabase token", "sb", "p_", random(40, from: hexadecimal)),
        Planted("a PlanetScale secret", "pscale", "_pw_", random(43)),
        Planted("a Netlify token", "nf", "p_", random(36)),
        Planted("a Grafana token", "gl", "sa_", random(32), "_", random(8, from: hexadecimal)),
        Planted("a New Relic key", "NR", "AK-", random(27, from: capitals)),
        Planted("a Sentry token", "sn", "trys_", random(80)),
        Planted("a Slack token", "xo", "xb-", "1234567890-", random(24)),
        Planted("a Slack token", "xo", "xp-", "1234567890-", random(32, from: hexadecimal)),
        Planted(
            "a Slack webhook", "hooks.slack", ".com/services/", "T", random(8, from: capitals), "/B",
            random(8, from: capitals), "/", random(24)),
        Planted("a Discord webhook", "discord", ".com/api/webhooks/", "123456789012345678/", random(68)),
        Planted("a Discord token", "M", "TA4", random(22), ".", "G", random(5), ".", random(38)),
        Planted("a SendGrid key", "S", "G.", random(22), ".", random(43)),
        Planted("a Twilio identifier", "S", "K", random(32, from: hexadecimal)),
        Planted("a Mailgun key", "ke", "y-", random(32, from: hexadecimal)),
        Planted("a Facebook or Square token", "EA", "AC", random(120)),
        Planted("a Postman key", "PM", "AK-", random(24), "-", random(34)),
        Planted("a Mapbox secret token", "sk.", "eyJ", random(60), ".", random(22)),
        Planted("a Stripe key", "sk", "_live_", random(24)), Planted("a Stripe key", "rk", "_live_", random(24)),
        Planted("a Stripe key", "sk", "_test_", random(24)),
        Planted("a webhook's signing secret", "wh", "sec_", random(32)),
        Planted("a Shopify token", "shp", "at_", random(32, from: hexadecimal)),
        Planted("a Square token", "sq0", "atp-", random(22)),
        Planted("a Telegram bot token", "123456789", ":AA", random(33)),
        Planted(
            "a private key", "-----BEGIN RSA PRIV", "ATE KEY-----\n", random(64), "\n", random(64),
            "\n-----END RSA PRIV",
            "ATE KEY-----"),
        Planted(
            "a private key", "-----BEGIN OPENSSH PRIV", "ATE KEY-----\n", random(70), "\n-----END OPENSSH PRIV",
            "ATE KEY-----"),
        Planted("credentials in a URL", "hunter", "22-and-more") { "postgres://app:\($0)@db.example.com:5432/app" },
        Planted("credentials in a URL", random(24)) { "see https://\($0)@git.example.com/x.git for it" },
        Planted("a bearer token", random(32)) { "curl -H 'Authorization: Bearer \($0)' https://example.com" },
        Planted("a user and a password of Basic authentication", "YW5u", "Om9wZW4tc2VzYW1lLTE=") {
            "Authorization: Basic \($0)"
        },
    ]

    /// One of each name that tells, with a value that would be no secret elsewhere.
    package static let names: [String] = [
        "password", "passwd", "user_password", "client_secret", "clientSecret", "access_token", "accessToken",
        "refresh_token",
        "id_token", "api_key", "apiKey", "API-KEY", "x-api-key", "sessionId", "csrf_token", "authenticity_token",
        "private_key",
        "credential", "sig", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature",
        "reset_token",
        "webhook_secret", "aws_secret_access_key", "Ocp-Apim-Subscription-Key", "auth", "session", "sid", "JSESSIONID",
    ]

    /// A value that has no shape of its own.
    package static let value = "k9" + "Trw4-Zq81mB"
}
