// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The known shapes, as their issuers and the public lists of scanners describe them in 2026.
///
/// A row is the kind in words, its slug, and how its secrets are written, as `PrefixShape` reads it.
extension PrefixShape {
    typealias Row = (words: String, slug: String, patterns: String)

    static let known: [PrefixShape] = (code + clouds + services + models + money + keys + further).flatMap { row in
        row.patterns.split(ascii: " ").compactMap { PrefixShape(String($0), SecretKind(row.words, row.slug)) }
    }

    private static let code: [Row] = [
        (
            "a GitHub token", "github-token",
            "ghp_<a30-255> gho_<a30-255> ghu_<a30-255> ghs_<a30-255> ghr_<a30-255> github_pat_<w22-255>"
        ),
        (
            "a GitLab token", "gitlab-token",
            "glpat-<t20-320> gldt-<u20-255> glrt-<t20-320> glptt-<u20-255> glcbt-<u20-255> glsoat-<u20-255> glagent-<u20-255> "
                + "glft-<u20-255> glimt-<u20-255> glffct-<u20-255> gloas-<u40-255> glwt-<u20-255> GR1348941<u20-64>"
        ),
        ("an npm token", "npm-token", "npm_<a36-255>"), ("a PyPI token", "pypi-token", "pypi-<u50-1000>"),
        ("a RubyGems key", "rubygems-key", "rubygems_<h48>!"), ("a NuGet key", "nuget-key", "oy2<l43>!"),
        ("a Clojars token", "clojars-token", "CLOJARS_<a60>"),
        ("a Docker token", "docker-token", "dckr_pat_<u20-255> dckr_oat_<u20-255>"),
        ("an Artifactory key", "artifactory-key", "AKCp<a69-72>! cmVmd<a59>!"),
        ("an Atlassian token", "atlassian-token", "ATATT3<r40-512> ATCTT3<r40-512> ATBB<r28-64>?"),
        ("a Bitbucket token", "bitbucket-token", "BBDC-<b40-48>"),
        ("a CircleCI token", "circleci-token", "CCIPAT_<a20-24>_<h40> CCIPRJ_<a20-24>_<h40>"),
        ("a Buildkite token", "buildkite-token", "bkua_<h40>! bkaj_<l40> bkct_<a20-64>"),
        ("a Sourcegraph token", "sourcegraph-token", "sgp_<x16>_<x40> sgp_local_<x40> sgp_<x40>! slk_<h64>"),
        ("a Linear key", "linear-key", "lin_api_<a32-255> lin_oauth_<a32-255>"),
        ("a Notion token", "notion-token", "secret_<a43>! ntn_<a40-255>"),
        ("a Figma token", "figma-token", "figd_<u36-255> figo_<u36-255> figor_<u36-255>"),
        ("an Airtable token", "airtable-token", "pat<a14>.<h64>! key<a14>!?"),
        ("an Asana token", "asana-token", "2/<d14-17>/<d14-17>:<h32>!"),
        ("a ReadMe key", "readme-key", "rdme_<l70>"), ("a Postman key", "postman-key", "PMAK-<u50-128> PMAT-<A26>!"),
        ("an Octopus Deploy key", "octopus-key", "API-<A25-34>!"), ("a SonarQube token", "sonar-token", sonar),
        ("a Snyk token", "snyk-token", "snyk_uat.<h8>.<u40-255>"), ("an Infracost key", "infracost-key", "ico-<a32>!"),
        ("a Sentry token", "sentry-token", "sntrys_<r40-512> sntryu_<r40-512> sntrya_<h64>"),
        ("a Harness token", "harness-token", "pat.<u22>.<a24>.<a20> sat.<u22>.<a24>.<a20>"),
    ]

    private static let sonar = "squ_<h40>! sqp_<h40>! sqa_<h40>! sqb_<h40>!"

    private static let clouds: [Row] = [
        (
            "an AWS access key", "aws-access-key",
            "AKIA<A16>! ASIA<A16>! ABIA<A16>! ACCA<A16>! A3T<A17>! ABSK<b100-140>"
        ),
        ("a Google API key", "google-api-key", "AIza<u35>"),
        ("a Google access token", "google-token", "ya29.<t20-2048>"),
        ("a Google client secret", "google-client-secret", "GOCSPX-<u20-64>"),
        ("a Google refresh token", "google-refresh-token", "1//0<u30-512>?"),
        ("an authorization code of Google", "google-code", "4/0<u40-512>?"),
        ("a key of Firebase Cloud Messaging", "fcm-key", "AAAA<u7>:<u134-180>"),
        ("an Azure key", "azure-key", "AccountKey=<b40-128> SharedAccessKey=<b40-128>"),
        ("an Alibaba Cloud key", "alibaba-key", "LTAI<a12-24>!?"),
        ("a Yandex Cloud key", "yandex-key", "AQVN<u35-38>! t1.<u40-512>.<u80-90>"),
        ("a DigitalOcean token", "digitalocean-token", "dop_v1_<h64> doo_v1_<h64> dor_v1_<h64>"),
        ("a Cloudflare key", "cloudflare-key", "v1.0-<h24>-<h146> cfut_<u40-64> cfat_<u40-64>"),
        ("a Heroku key", "heroku-key", "HRKU-<u30-255>"), ("a Databricks token", "databricks-token", "dapi<h32>"),
        (
            "a Vault token", "vault-token",
            "hvs.<u24-512> hvb.<u24-512> hvr.<u24-512> s.<a24>!?"
        ),
        (
            "a Doppler token", "doppler-token",
            "dp.pt.<t36-255> dp.st.<t36-255> dp.ct.<t36-255> dp.sa.<t36-255> dp.scim.<t36-255> dp.audit.<t36-255>"
        ),
        ("a Supabase token", "supabase-token", "sbp_<h40>! sb_secret_<u20-64>"),
        (
            "a PlanetScale secret", "planetscale-secret",
            "pscale_tkn_<t30-255> pscale_pw_<t30-255> pscale_oauth_<t30-255>"
        ),
        ("a Netlify token", "netlify-token", "nfp_<a36-255> nfc_<a36-255> nfo_<a36-255> nfu_<a36-255>"),
        (
            "a Vercel token", "vercel-token",
            "vcp_<a24-64> vci_<a24-64> vca_<a24-64> vcr_<a24-64> vck_<a24-64> vercel_blob_rw_<w30-80>"
        ),
        ("a Fly.io token", "fly-token", "fo1_<u43> fm1r_<b100-4096> fm1a_<b100-4096> fm2_<b100-4096>"),
        ("a Render key", "render-key", "rnd_<a28-40>"), ("a Pulumi token", "pulumi-token", "pul-<h40>!"),
        ("a Scalingo token", "scalingo-token", "tk-us-<u48>"),
        ("a Prefect token", "prefect-token", "pnu_<a36> pnb_<a36>"),
        ("an OpenShift token", "openshift-token", "sha256~<u43>"),
        ("a Tailscale key", "tailscale-key", "tskey-<a4-16>-<a8-32>-<a20-64> tskey-<a20-64>"),
        (
            "a 1Password secret", "onepassword-secret",
            "ops_eyJ<b200-4096> A3-<A6>-<A6>-<A5>-<A5>-<A5>-<A5>! A3-<A6>-<A11>-<A5>-<A5>-<A5>!"
        ),
        ("a ClickHouse key", "clickhouse-key", "4b1d<a38>!"), ("an Aiven token", "aiven-token", "aivenv1_<b40-512>"),
        ("a Grafana token", "grafana-token", "glsa_<w32-512> glc_<b32-512> eyJrIjoi<b70-400>"),
        ("a New Relic key", "newrelic-key", "NRAK-<u27-64> NRII-<u27-64> NRJS-<h19>!"),
        ("a Dynatrace token", "dynatrace-token", "dt0c01.<A24>.<A64> dt0s01.<A8-24>.<A64> dt0s16.<A8-24>.<A64>"),
        ("a Datadog key", "datadog-key", "ddp_<a36> ddapp_<a34-40>"),
        ("a token of Defined Networking", "dnkey", "dnkey-<u26>-<u52>"), ("an Okta token", "okta-token", "00<u40>!?"),
    ]

    private static let services: [Row] = [
        (
            "a Slack token", "slack-token",
            "xoxb-<u10-512> xoxp-<u10-512> xoxa-<u10-512> xoxr-<u10-512> xoxs-<u10-512> xoxo-<u10-512> xoxc-<u10-512> xoxd-<r10-512> "
                + "xoxe-<u10-512> xoxe.xoxp-<u10-512> xoxe.xoxb-<u10-512> xapp-<u10-512> xwfp-<u10-512>"
        ),
        (
            "a Slack webhook", "slack-webhook",
            "hooks.slack.com/services/</20-255> hooks.slack.com/workflows/</20-255> hooks.slack.com/triggers/</20-255>"
        ),
        (
            "a Discord webhook", "discord-webhook",
            "discord.com/api/webhooks/</60-255> discordapp.com/api/webhooks/</60-255>"
        ),
        ("a Zapier webhook", "zapier-webhook", "hooks.zapier.com/hooks/catch/</12-64>"),
        ("a SendGrid key", "sendgrid-key", "SG.<t36-255>?"),
        ("a Brevo key", "brevo-key", "xkeysib-<h64>-<a16>! xsmtpsib-<h64>-<a16>!"),
        ("a Twilio identifier", "twilio-key", "SK<h32>! AC<h32>!"), ("a Mailgun key", "mailgun-key", "key-<h32>!"),
        ("a MailerSend token", "mailersend-token", "mlsn.<h64>!"), ("a Resend key", "resend-key", "re_<a8>_<a24>!"),
        ("a Facebook or Square token", "facebook-token", "EAA<u57-512>?"),
        ("an Instagram token", "instagram-token", "IGQV<u60-512>? IGAA<u60-512>?"),
        ("a LinkedIn secret", "linkedin-secret", "WPL_AP1.<a16>.<b6-12>"),
        ("a Mapbox secret token", "mapbox-token", "sk.eyJ<t40-512>"),
        ("a Dropbox token", "dropbox-token", "sl.<u60-2048>? sl.u.<u60-2048>?"),
        ("a HubSpot token", "hubspot-token", hubspot), ("a Typeform token", "typeform-token", "tfp_<t40-80>"),
        ("a Contentful token", "contentful-token", "CFPAT-<u43>"),
        ("a Pinterest token", "pinterest-token", "pina_<A64-128>"),
        ("a Salesforce token", "salesforce-token", "00D<a12-15>!<s60-260>"),
        ("an Intra 42 secret", "intra42-secret", "s-s4t2ud-<h64> s-s4t2af-<h64>"),
        ("a Frame.io token", "frameio-token", "fio-u-<u64>"),
        ("a Settlemint token", "settlemint-token", "sm_aat_<a16>! sm_pat_<a16>! sm_sat_<a16>!"),
        ("an Adobe secret", "adobe-secret", "p8e-<l32>!"), ("a Canva token", "canva-token", "cnvca<u40-64>"),
        (
            "a Microsoft Teams webhook", "teams-webhook",
            "webhook.office.com/webhookb2/<t36>@<t36>/IncomingWebhook/<l32>"
        ),
        ("a LaunchDarkly key", "launchdarkly-key", "api-<l8>-<l4>-4<l3>-<l4>-<l12>! sdk-<l8>-<l4>-4<l3>-<l4>-<l12>!"),
        ("a PubNub secret key", "pubnub-key", "sec-c-<u36>"), ("a PostHog key", "posthog-key", "phx_<w40-64>"),
        ("a Trello token", "trello-token", "ATTA<a60-80>!"), ("a Mandrill key", "mandrill-key", "md-<u22>!?"),
        ("a Paddle key", "paddle-key", "pdl_live_apikey_<w40-80> pdl_sdbx_apikey_<w40-80>"),
        ("a Stytch secret", "stytch-secret", "secret-live-<u36> secret-test-<u36>"),
        ("a Langfuse key", "langfuse-key", "sk-lf-<h8>-<h4>-<h4>-<h4>-<h12>!"),
        ("a Rootly key", "rootly-key", "rootly_<h64>!"), ("an Endor Labs key", "endorlabs-key", "endr+<u16>!"),
        ("a Ramp secret", "ramp-secret", "ramp_sec_<a48>!"), ("an Amazon MWS token", "amazon-mws", mws),
        ("a Zoho token", "zoho-token", "1000.<h32>.<h32>!"), ("a Telnyx key", "telnyx-key", "KEY01<A29-32>_<a20-24>"),
    ]

    private static let mws = "amzn.mws.<h8>-<h4>-<h4>-<h4>-<h12>!"
    private static let hubspot = "pat-na1-<u36>! pat-na2-<u36>! pat-eu1-<u36>! pat-ap1-<u36>!"

    private static let models: [Row] = [
        ("a key of a language model's API", "api-key", "sk-<u20-512>?"),
        (
            "a Hugging Face token", "huggingface-token",
            "hf_<a30-255> api_org_<a34>!"
        ),
        ("a Groq key", "groq-key", "gsk_<a40-64>"), ("a Perplexity key", "perplexity-key", "pplx-<a40-64>"),
        ("an xAI key", "xai-key", "xai-<a70-90>"), ("a Replicate token", "replicate-token", "r8_<a37>!"),
        ("an NVIDIA key", "nvidia-key", "nvapi-<u60-80>"),
        ("a LangSmith key", "langsmith-key", "lsv2_pt_<h32>_<h10>! lsv2_sk_<h32>_<h10>!"),
        ("an ElevenLabs key", "elevenlabs-key", "sk_<h48>!"), ("a Pinecone key", "pinecone-key", "pcsk_<w60-80>"),
        ("a Weights and Biases key", "wandb-key", "wandb_v1_<w60-100>"),
        ("a Tavily key", "tavily-key", "tvly-<u20-64>?"),
        ("a Cerebras or Fireworks key", "fireworks-key", "csk-<l48>! fw_<a22-24>!"),
        ("an Anyscale key", "anyscale-key", "esecret_<l28>! aph0_<u40-64>"),
    ]

    private static let money: [Row] = [
        (
            "a Stripe key", "stripe-key",
            "sk_live_<a16-255> rk_live_<a16-255> sk_test_<a16-255> rk_test_<a16-255> sk_prod_<a16-255> rk_prod_<a16-255> sk_org_<w20-255>"
        ),
        (
            "a client secret of Stripe", "stripe-client-secret",
            "pi_<a8-40>_secret_<a16-64> seti_<a8-40>_secret_<a16-64> src_client_secret_<a16-64> cs_live_<a10-255>_secret_<a16-255> cs_test_<a10-255>_secret_<a16-255>"
        ),
        ("a webhook's signing secret", "webhook-secret", "whsec_<b16-255>"),
        (
            "a Shopify token", "shopify-token",
            "shpat_<x32> shpss_<x32> shpca_<x32> shppa_<x32> shpua_<x32> shprt_<x32> shpct_<x32>"
        ),
        ("a Square token", "square-token", "sq0atp-<u22-64> sq0csp-<u22-64> sq0idp-<u22-64> EAAA<u60>!"),
        (
            "a Braintree token", "braintree-token",
            "access_token$production$<l16>$<h32>! access_token$sandbox$<l16>$<h32>!"
        ),
        ("a Plaid token", "plaid-token", plaid),
        ("a Shippo token", "shippo-token", "shippo_live_<x40> shippo_test_<x40>"),
        ("an EasyPost key", "easypost-key", "EZAK<a54>! EZTK<a54>!"),
        ("a Duffel token", "duffel-token", "duffel_test_<u43> duffel_live_<u43>"),
        ("a Flutterwave key", "flutterwave-key", "FLWSECK_TEST-<l12-32>-X FLWSECK_TEST-<l12>! FLWSECK-<l32>-X"),
        ("a Lob key", "lob-key", "live_<h35>! test_<h35>!"),
        ("a GoCardless token", "gocardless-token", "live_<u40>!? sandbox_<u40>!?"),
        ("a Razorpay key", "razorpay-key", "rzp_live_<a14>! rzp_test_<a14>!"),
        ("a Mollie key", "mollie-key", "live_<a30>!? test_<a30>!?"),
    ]

    private static let plaid =
        "access-sandbox-<h8>-<h4>-<h4>-<h4>-<h12>! access-development-<h8>-<h4>-<h4>-<h4>-<h12>! access-production-<h8>-<h4>-<h4>-<h4>-<h12>!"

    /// The beginnings of private keys in PEM, in Base64 once more, as configurations of clusters and clouds hold them.
    private static let encodedKeys = [
        "LS0tLS1CRUdJTiBQUklWQVRFIEtF", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL", "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtF",
        "LS0tLS1CRUdJTiBEU0EgUFJJVkFURSBL", "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ",
        "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBL", "LS0tLS1CRUdJTiBQR1AgUFJJVkFURSBL",
    ].map { $0 + "<b40-16384>" }.joined(separator: " ")

    private static let keys: [Row] = [
        ("a private key in Base64", "private-key", encodedKeys),
        ("an age key", "age-key", "AGE-SECRET-KEY-1<A58>! AGE-PLUGIN-<A2-20>-1<A40-120>!"),
        ("a Nostr key", "nostr-key", "nsec1<l58>!"),
        ("an extended private key", "extended-key", "xprv<a107-108>! yprv<a107-108>! zprv<a107-108>! tprv<a107-108>!"),
        ("a PASETO token", "paseto", paseto),
        (
            "the hash of a password", "password-hash",
            "$2a$<p40-255> $2b$<p40-255> $2y$<p40-255> $argon2<p40-255> $6$<p20-255> $5$<p20-255> $1$<p20-64> $apr1$<p20-64> $y$<p40-255> "
                + "$7$<p40-255> $gy$<p40-255> $scrypt$<p40-255> $pbkdf2<p40-255> $s0$<p40-255> {SSHA}<b20-128> {SSHA256}<b20-128> {SSHA512}<b20-160> "
                + "pbkdf2_sha256$<d4-8>$<a6-64>$<b40-90> pbkdf2_sha1$<d4-8>$<a6-64>$<b26-90> bcrypt_sha256$<p40-255> "
                + "pbkdf2:sha256:<d4-8>$<a6-64>$<h64> pbkdf2:sha512:<d4-8>$<a6-64>$<h128> "
                + "scrypt:<d4-8>:<d1-3>:<d1-3>$<a6-64>$<h64-128> SCRAM-SHA-256$<d4-8>:<b16-64>$<b40-48>:<b40-48>"
        ),
    ]

    private static let paseto = ["v1", "v2", "v3", "v4"].flatMap { version in
        ["\(version).local.<t40-4096>", "\(version).public.<t80-4096>"]
    }.joined(separator: " ")

    /// From the public rules of TruffleHog and gitleaks beside those above, and from the issuers themselves.
    private static let further: [Row] = [
        ("an Apify token", "apify-token", "apify_api_<a36>!"),
        ("a ClickUp token", "clickup-token", "pk_<d6-10>_<A32>!"),
        ("a Klaviyo key", "klaviyo-key", "pk_<h34>!"),
        ("a LocationIQ key", "locationiq-key", "pk.<h32>!"),
        ("a Clearbit key", "clearbit-key", "sk_<h32>!"),
        ("a Sanity token", "sanity-token", "sk<a79-180>?"),
        ("a Segment token", "segment-token", "sgp_<a64>!"),
        ("a Fleetbase key", "fleetbase-key", "flb_live_<a20>!"),
        (
            "a Honeycomb key", "honeycomb-key",
            "hcaik_<l58>! hcbik_<l58>! hcalk_<l58>! "
                + "hcamk_<l58>! hcxik_<l58>! hcblk_<l58>!"
        ),
        ("an Intercom token", "intercom-token", "dG9rO<b40-80>"),
        ("a JumpCloud key", "jumpcloud-key", "jca_<a36>!"),
        (
            "an Onfido token", "onfido-token",
            "api_live.<u11>.<u32> api_live_ca.<u11>.<u32> "
                + "api_live_us.<u11>.<u32> api_sandbox.<u11>.<u32> api_sandbox_us.<u11>.<u32>"
        ),
        ("a Pagar.me key", "pagarme-key", "ak_live_<a30>! ak_test_<a30>!"),
        ("a PayPal token", "paypal-token", "A21AA<u60-200>"),
        ("a Portainer token", "portainer-token", "ptr_<b20-60>?"),
        ("a Robinhood key", "robinhood-key", "rh-api-<h8>-<h4>-<h4>-<h4>-<h12>!"),
        ("a Samsara token", "samsara-token", "samsara_api_<a30>!"),
        ("a Spectral key", "spectral-key", "spu-<h32>! spt-<h32>!"),
        ("a TruffleHog key", "trufflehog-key", "thog-key-<h16>! thog-agent-<a16-40>"),
        ("a Twitter token", "twitter-token", "AAAAAAAAAAAAAAAAAAAAA<e60-110>"),
        ("a Voiceflow key", "voiceflow-key", "VF.DM.<h24>.<a16>! VF.WS.<h24>.<a16>! VF.<h24>.<a16>!"),
        ("a WakaTime key", "wakatime-key", "waka_<h8>-<h4>-<h4>-<h4>-<h12>!"),
        ("a Close key", "close-key", "api_<a20-24>.<a20-24>!"),
        ("an ImageKit key", "imagekit-key", "private_<b26-28>=!"),
        ("a Nightfall key", "nightfall-key", "NF-<a32>!"),
        ("a OneSignal key", "onesignal-key", "os_v2_app_<l90-120> os_v2_org_<l90-120>"),
        ("a Smooch key", "smooch-key", "act_<h24>!"),
        ("a Ubidots token", "ubidots-token", "BBFF-<a30>! BBUS-<a30>!"),
        ("a Firecrawl key", "firecrawl-key", "fc-<h32>!"),
        ("a Jina key", "jina-key", "jina_<w50-80>"),
        ("a Together key", "together-key", "tgp_v1_<u43>"),
        ("an OpenRouter key", "openrouter-key", "sk-or-v1-<h64>!"),
        ("a DeepSeek or DashScope key", "model-key", "sk-<h32>! sk-<l32>! sk-<l48>!"),
        ("a Helicone key", "helicone-key", "sk-helicone-<l7>-<l7>-<l7>-<l7>! pk-helicone-<l7>-<l7>-<l7>-<l7>!"),
        ("a Neon key", "neon-key", "napi_<l60-70>!"),
        ("a Deno Deploy token", "deno-token", "ddo_<a36>! ddw_<a36>!"),
        ("a Depot token", "depot-token", "depot_project_<h64>! depot_org_<h64>! depot_user_<h64>!"),
        ("a Bitwarden token", "bitwarden-token", "0.<h8>-<h4>-<h4>-<h4>-<h12>.<a30>:<b22>=="),
        ("an Infisical token", "infisical-token", "st.<h24>.<h32>.<h32>!"),
        ("a Logfire token", "logfire-token", "pylf_v1_<w40-80>"),
        ("an Axiom token", "axiom-token", "xaat-<h8>-<h4>-<h4>-<h4>-<h12>! xapt-<h8>-<h4>-<h4>-<h4>-<h12>!"),
        ("an Adafruit key", "adafruit-key", "aio_<a28>!"),
        ("a Beamer token", "beamer-token", "b_<b44>!?"),
        ("a Bedrock key", "bedrock-key", "bedrock-api-key-<b40-400>"),
        (
            "an Authress key", "authress-key",
            "sc_<a5-30>.<a4-6>.acc_<a10-32>.<b30-120> "
                + "ext_<a5-30>.<a4-6>.acc_<a10-32>.<b30-120> authress_<a5-30>.<a4-6>.acc_<a10-32>.<b30-120>"
        ),
        ("a Yandex access key", "yandex-access-key", "YC<u38>!? AQAAAA<u33>!"),
        ("an Elastic key", "elastic-key", "essu_<b40-200>"),
        ("a SaladCloud key", "saladcloud-key", "salad_cloud_user_<a30-64>"),
        ("a ScrapFly key", "scrapfly-key", "scp-live-<h32>! scp-test-<h32>!"),
        ("a Cloudinary URL", "cloudinary-url", "cloudinary://<d10-18>:<u20-40>"),
        ("a Wix key", "wix-key", "IST.eyJ<t100-2000>"),
        ("a Buf token", "buf-token", "buf_<h64>!"),
        ("a Gitea token", "gitea-token", "gta_<l40>! gto_<l40>!"),
        ("a Cursor key", "cursor-key", "key_<h64>! crsr_<h64>!"),
        ("a Zuplo key", "zuplo-key", "zpka_<h32>_<h8>! zpct_<h32>_<h8>!"),
        ("a Scaleway key", "scaleway-key", "SCW<A17>!"),
        ("a Tencent Cloud key", "tencent-key", "AKID<a32>! AKID<a13-20>!?"),
        ("a Volcengine key", "volcengine-key", "AKLT<a40-60>"),
        ("a Linode or Akamai token", "akamai-token", "akab-<l16>-<l16>!"),
        ("an Exoscale key", "exoscale-key", "EXO<h24>! EXO<u24>?"),
    ]
}
