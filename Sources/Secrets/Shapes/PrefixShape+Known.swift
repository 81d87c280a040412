// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension PrefixShape {
    private init(
        _ prefix: String, _ kind: (words: String, slug: String), _ characters: ByteClass, _ lengths: ClosedRange<Int>,
        isMixed: Bool = false, isExact: Bool = false
    ) {
        self.init(
            prefix: Array(prefix.utf8), kind: SecretKind(kind.words, kind.slug), characters: characters,
            lengths: lengths,
            isMixed: isMixed, isExact: isExact)
    }

    private static func family(
        _ prefixes: String, _ kind: (String, String), _ characters: ByteClass, _ lengths: ClosedRange<Int>,
        isMixed: Bool = false, isExact: Bool = false
    ) -> [PrefixShape] {
        prefixes.split(separator: " ").map {
            PrefixShape(String($0), kind, characters, lengths, isMixed: isMixed, isExact: isExact)
        }
    }

    /// The shapes that are known, by what their issuers say of them.
    static let known: [PrefixShape] = code + clouds + services + money + keys

    private static let code =
        family("ghp_ gho_ ghu_ ghs_ ghr_", ("a GitHub token", "github-token"), .alphanumeric, 30...255)
        + family("github_pat_", ("a GitHub token", "github-token"), .word, 22...255)
        + family(
            "glpat- gldt- glrt- glptt- glcbt- glsoat- glagent- glft- glimt-", ("a GitLab token", "gitlab-token"),
            .base64URL, 20...255)
        + family("npm_", ("an npm token", "npm-token"), .alphanumeric, 36...255)
        + family("pypi-", ("a PyPI token", "pypi-token"), .base64URL, 50...512)
        + family("rubygems_", ("a RubyGems key", "rubygems-key"), .lowercaseHexadecimal, 48...48, isExact: true)
        + family("dckr_pat_ dckr_oat_", ("a Docker token", "docker-token"), .base64URL, 20...255)
        + family("hf_", ("a Hugging Face token", "huggingface-token"), .alphanumeric, 30...255)
        + family("sk-", ("a key of a language model's API", "api-key"), .base64URL, 20...512, isMixed: true)
        + family("lin_api_ lin_oauth_", ("a Linear key", "linear-key"), .alphanumeric, 32...255)
        + family("secret_", ("a Notion token", "notion-token"), .alphanumeric, 43...43, isExact: true)
        + family("ntn_", ("a Notion token", "notion-token"), .alphanumeric, 40...255)
        + family("ATATT3 ATCTT3", ("an Atlassian token", "atlassian-token"), .base64URL.union("="), 40...512)
        + family("figd_", ("a Figma token", "figma-token"), .base64URL, 36...255)
        + family("AGE-SECRET-KEY-1", ("an age key", "age-key"), .uppercaseAndDigits, 58...58, isExact: true)

    private static let clouds =
        family(
            "AKIA ASIA ABIA ACCA", ("an AWS access key", "aws-access-key"), .uppercaseAndDigits, 16...16, isExact: true)
        + family("AIza", ("a Google API key", "google-api-key"), .base64URL, 35...35)
        + family("ya29.", ("a Google access token", "google-token"), .base64URLWithDots, 20...2048)
        + family("GOCSPX-", ("a Google client secret", "google-client-secret"), .base64URL, 20...64)
        + family("1//0", ("a Google refresh token", "google-refresh-token"), .base64URL, 30...512, isMixed: true)
        + family("AccountKey= SharedAccessKey=", ("an Azure key", "azure-key"), .base64, 40...128)
        + family(
            "dop_v1_ doo_v1_ dor_v1_", ("a DigitalOcean token", "digitalocean-token"), .lowercaseHexadecimal, 64...64)
        + family("HRKU-", ("a Heroku key", "heroku-key"), .base64URL, 30...255)
        + family("dapi", ("a Databricks token", "databricks-token"), .lowercaseHexadecimal, 32...32)
        + family("hvs. hvb. hvr.", ("a Vault token", "vault-token"), .base64URL, 24...512)
        + family(
            "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", ("a Doppler token", "doppler-token"),
            .base64URLWithDots, 36...255)
        + family("sbp_", ("a Supabase token", "supabase-token"), .lowercaseHexadecimal, 40...40, isExact: true)
        + family("pscale_tkn_ pscale_pw_", ("a PlanetScale secret", "planetscale-secret"), .base64URLWithDots, 30...255)
        + family("nfp_", ("a Netlify token", "netlify-token"), .alphanumeric, 36...255)
        + family("glsa_ glc_", ("a Grafana token", "grafana-token"), .word.union("="), 32...512)
        + family("NRAK- NRII-", ("a New Relic key", "newrelic-key"), .base64URL, 27...64)
        + family("sntrys_ sntryu_", ("a Sentry token", "sentry-token"), .run, 40...512)

    private static let services =
        family(
            "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.xoxp- xapp-", ("a Slack token", "slack-token"), .base64URL,
            10...512)
        + family("hooks.slack.com/services/", ("a Slack webhook", "slack-webhook"), .alphanumeric.union("/"), 20...255)
        + family("hooks.slack.com/workflows/", ("a Slack webhook", "slack-webhook"), .alphanumeric.union("/"), 20...255)
        + family(
            "discord.com/api/webhooks/ discordapp.com/api/webhooks/", ("a Discord webhook", "discord-webhook"),
            .base64URL.union("/"), 60...255)
        + family("SG.", ("a SendGrid key", "sendgrid-key"), .base64URLWithDots, 36...255, isMixed: true)
        + family("SK AC", ("a Twilio identifier", "twilio-key"), .lowercaseHexadecimal, 32...32, isExact: true)
        + family("key-", ("a Mailgun key", "mailgun-key"), .lowercaseHexadecimal, 32...32, isExact: true)
        + family("EAA", ("a Facebook or Square token", "facebook-token"), .base64URL, 57...512, isMixed: true)
        + family("PMAK-", ("a Postman key", "postman-key"), .base64URL, 50...128)
        + family("sk.eyJ", ("a Mapbox secret token", "mapbox-token"), .base64URLWithDots, 40...512)

    private static let money =
        family(
            "sk_live_ rk_live_ sk_test_ rk_test_", ("a Stripe key", "stripe-key"), .alphanumeric, 16...255)
        + family("whsec_", ("a webhook's signing secret", "webhook-secret"), .base64, 16...255)
        + family("shpat_ shpss_ shpca_ shppa_", ("a Shopify token", "shopify-token"), .hexadecimal, 32...32)
        + family("sq0atp- sq0csp- sq0idp-", ("a Square token", "square-token"), .base64URL, 22...64)

    /// What begins private keys in PEM, in Base64 once more, as configurations of clusters and clouds hold them.
    private static let encodedKeys = [
        "LS0tLS1CRUdJTiBQUklWQVRFIEtF",
        "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL",
        "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtF",
        "LS0tLS1CRUdJTiBEU0EgUFJJVkFURSBL",
        "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ",
        "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBL",
        "LS0tLS1CRUdJTiBQR1AgUFJJVkFURSBL",
    ].joined(separator: " ")

    private static let keys =
        family(encodedKeys, ("a private key in Base64", "private-key"), .base64, 40...16_384)
        + family(
            "$2a$ $2b$ $2y$ $argon2", ("the hash of a password", "password-hash"),
            .alphanumeric.union("./$=,+-"), 40...255)
}
