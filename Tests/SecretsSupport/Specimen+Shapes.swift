// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Specimen {
    /// What issuers write, each in the places where a name tells nothing.
    package static let vendors: [Specimen] = (patterns + furtherPatterns).enumerated().flatMap { number, pattern in
        neutral(
            "\(pattern)", made(pattern, seed: UInt64(number * 3 + 5)), isPath: !pattern.contains { "/{:".contains($0) })
    }

    /// Values at random of 24 to 400 characters.
    package static let random: [Specimen] = lengths.enumerated().flatMap { number, pattern in
        (0..<3).flatMap { (round: Int) -> [Specimen] in
            let value = made(pattern, seed: UInt64(number * 5 + round * 997 + 9))
            return neutral(pattern, value, isPath: !pattern.contains("b"))
        }
    }

    private static let lengths = [
        "<a24>", "<a28>", "<a32>", "<a40>", "<a48>", "<a64>", "<a100>", "<a200>", "<a400>", "<u32>", "<u43>", "<u86>",
        "<b43>=", "<b86>==", "<b128>", "<l40>", "<l64>",
    ]

    private static func neutral(_ name: String, _ value: String, isPath: Bool) -> [Specimen] {
        var all = [
            Specimen(
                "\(name) in JSON", .body("application/json"), "{\"note\": {\"item\": \"\(value)\"}, \"n\": 1}",
                secret: value),
            Specimen(
                "\(name) in a sentence", .body("text/plain"), "We have used \(value) for it, as agreed.\n",
                secret: value),
            Specimen(
                "\(name) in the text of an error", .body("application/json"),
                "{\"error\": {\"message\": \"Could not use '\(value)': not known\"}}", secret: value),
            Specimen(
                "\(name) in a page", .body("text/html"), "<html><body><p>Here: <code>\(value)</code></p></body></html>",
                secret: value),
            Specimen("\(name) in a query", .query("q"), value, secret: value),
            Specimen("\(name) in a line", .header("X-Note"), value, secret: value),
        ]
        if isPath { all.append(Specimen("\(name) in a path", .path(["v1", "things"]), value, secret: value)) }
        return all
    }

    private static let patterns: [String] = [
        "ghp_<a36>", "gho_<a36>", "ghu_<a36>", "ghs_<a36>", "ghr_<a36>", "github_pat_<a22>_<a59>", "glpat-<u20>",
        "glpat-<u27>.01.<l9>", "gldt-<u20>", "glrt-<u20>", "glptt-<h40>", "glcbt-<d2>_<u20>", "glsoat-<u20>",
        "glagent-<u50>", "glft-<u20>", "glimt-<u25>", "gloas-<h64>", "GR1348941<u20>", "npm_<a36>",
        "pypi-AgEIcHlwaS5vcmc<u70>", "rubygems_<h48>", "oy2<l43>", "CLOJARS_<l60>", "dckr_pat_<u27>", "AKCp<a69>",
        "cmVmdGtu<a56>", "ATATT3<u180>", "ATCTT3<u180>", "CCIPAT_<a22>_<h40>", "bkua_<h40>", "sgp_<h40>",
        "sgp_<h16>_<h40>", "lin_api_<a40>", "secret_<a43>", "ntn_<d11><a35>", "figd_<u40>", "pat<a14>.<h64>",
        "rdme_<l70>", "PMAK-<h24>-<h34>", "API-<A26>", "squ_<h40>", "ico-<a32>", "sntryu_<h64>", "sntrys_<b80>_<b43>",
        "pat.<u22>.<a24>.<a20>", "AKIA<A16>", "ASIA<A16>", "AIza<u35>", "ya29.<u120>", "GOCSPX-<u28>", "1//0<u60>",
        "4/0A<u70>", "AAAA<u7>:<u140>", "LTAI<a20>", "AQVN<u36>", "dop_v1_<h64>", "doo_v1_<h64>", "dor_v1_<h64>",
        "v1.0-<h24>-<h146>", "HRKU-AA<u58>", "dapi<h32>", "hvs.<u95>", "hvb.<u140>", "s.<a24>", "dp.pt.<a43>",
        "sbp_<h40>", "sb_secret_<u31>", "pscale_tkn_<u43>", "pscale_pw_<u43>", "pscale_oauth_<u43>", "nfp_<a36>",
        "fo1_<u43>", "fm2_<b140>", "pul-<h40>", "tk-us-<u48>", "pnu_<a36>", "sha256~<u43>", "tskey-auth-<a12>-<a32>",
        "A3-<A6>-<A6>-<A5>-<A5>-<A5>-<A5>", "4b1d<a38>", "glsa_<a32>_<h8>", "glc_<b60>", "NRAK-<A27>", "NRII-<u32>",
        "dt0c01.<A24>.<A64>", "dnkey-<u26>-<u52>", "00<u40>", "xoxb-<d12>-<d12>-<a24>", "xoxp-<d12>-<d12>-<d12>-<h32>",
        "xapp-1-<A11>-<d13>-<h64>", "xoxe.xoxp-1-<A164>", "https://hooks.slack.com/services/T<A9>/B<A9>/<a24>",
        "SG.<u22>.<u43>", "xkeysib-<h64>-<a16>", "SK<h32>", "key-<h32>", "mlsn.<h64>", "re_<a8>_<a24>",
        "EAACEdEose0cBA<a80>",
        "EAAA<u60>", "sl.<u140>", "pat-na1-<h8>-<h4>-<h4>-<h4>-<h12>", "pat-eu1-<h8>-<h4>-<h4>-<h4>-<h12>",
        "tfp_<a44>_<a14>", "CFPAT-<u43>", "00D<a15>!<a96>", "sk.eyJ<a60>.<u22>", "fio-u-<u64>", "sm_pat_<a16>",
        "p8e-<l32>", "s-s4t2ud-<h64>", "sk-<a20>T3BlbkFJ<a20>", "sk-proj-<u74>T3BlbkFJ<u74>", "sk-ant-api03-<u93>AA",
        "hf_<a34>", "api_org_<a34>", "gsk_<a52>", "pplx-<a48>", "xai-<a80>", "r8_<a37>", "nvapi-<u64>",
        "lsv2_pt_<h32>_<h10>", "pcsk_<a6>_<a63>", "sk_live_<a24>", "sk_test_<a99>", "rk_live_<a24>",
        "pi_<a24>_secret_<a25>", "seti_<a24>_secret_<a25>", "whsec_<a32>", "shpat_<h32>", "shpss_<h32>", "shppa_<h32>",
        "sq0atp-<u22>", "sq0csp-<u43>", "access_token$production$<l16>$<h32>",
        "access-production-<h8>-<h4>-<h4>-<h4>-<h12>", "access-sandbox-<h8>-<h4>-<h4>-<h4>-<h12>",
        "shippo_live_<h40>", "shippo_test_<h40>", "EZAK<a54>", "EZTK<a54>", "duffel_live_<u43>",
        "FLWSECK_TEST-<h32>-X", "rzp_live_<a14>", "AGE-SECRET-KEY-1<A58>", "$2b$12$<a53>",
        "$argon2id$v=19$m=65536,t=3,p=4$<b22>$<b43>", "$6$<a16>$<a86>", "$5$<a16>$<a43>", "$apr1$<a8>$<a22>",
        "$scrypt$ln=16,r=8,p=1$<b22>$<b43>", "$pbkdf2-sha256$29000$<b22>$<b43>", "pbkdf2_sha256$600000$<a22>$<b43>=",
        "v2.local.<u120>", "v4.public.<u160>", "<a14>.atlasv1.<u67>", "<a3>8Q~<u34>", "<h32>-us12",
        "<d10>:AA<u33>", "MTA4<a22>.G<a5>.<u38>",
        "api-<h8>-<h4>-4<h3>-<h4>-<h12>", "sdk-<h8>-<h4>-4<h3>-<h4>-<h12>", "sec-c-<u36>", "phx_<a43>", "ATTA<h72>",
        "md-<u22>", "pdl_live_apikey_<l26>_<a22>_<a3>", "secret-live-<u36>", "sk-lf-<h8>-<h4>-<h4>-<h4>-<h12>",
        "rootly_<h64>", "endr+<a16>", "ramp_sec_<a48>", "amzn.mws.<h8>-<h4>-<h4>-<h4>-<h12>",
    ]

    /// What issuers write of whom the public lists of scanners know beside those above.
    private static let furtherPatterns: [String] = [
        "apify_api_<a36>", "pk_<d8>_<A32>", "pk_<h34>", "pk.<h32>", "sk_<h32>", "sk<a89>", "sgp_<a64>",
        "flb_live_<a20>", "hcaik_<l58>", "hcbik_<l58>", "dG9rO<b50>", "jca_<a36>", "api_live.<u11>.<u32>",
        "api_live_ca.<u11>.<u32>", "ak_live_<a30>", "ak_test_<a30>", "A21AA<u70>", "ptr_<b30>",
        "rh-api-<h8>-<h4>-<h4>-<h4>-<h12>", "samsara_api_<a30>", "spu-<h32>", "spt-<h32>", "thog-key-<h16>",
        "thog-agent-<a26>", "AAAAAAAAAAAAAAAAAAAAA<a70>", "VF.DM.<h24>.<a16>", "VF.WS.<h24>.<a16>",
        "waka_<h8>-<h4>-<h4>-<h4>-<h12>", "api_<a22>.<a22>", "private_<b27>=", "NF-<a32>", "os_v2_app_<l100>",
        "os_v2_org_<l100>", "act_<h24>", "BBFF-<a30>", "BBUS-<a30>", "fc-<h32>", "jina_<a60>", "tgp_v1_<u43>",
        "sk-or-v1-<h64>", "sk-<h32>", "sk-<l32>", "sk-helicone-<l7>-<l7>-<l7>-<l7>",
        "pk-helicone-<l7>-<l7>-<l7>-<l7>", "napi_<l65>", "ddo_<a36>", "ddw_<a36>", "depot_project_<h64>",
        "depot_org_<h64>", "0.<h8>-<h4>-<h4>-<h4>-<h12>.<a30>:<b22>==", "st.<h24>.<h32>.<h32>", "pylf_v1_<a50>",
        "xaat-<h8>-<h4>-<h4>-<h4>-<h12>", "xapt-<h8>-<h4>-<h4>-<h4>-<h12>", "aio_<a28>", "b_<b44>",
        "bedrock-api-key-<b50>", "sc_<a15>.<a5>.acc_<a20>.<b40>", "ext_<a15>.<a5>.acc_<a20>.<b40>", "YC<u38>",
        "AQAAAA<u33>", "essu_<b50>", "salad_cloud_user_<a40>", "scp-live-<h32>", "scp-test-<h32>",
        "cloudinary://<d14>:<u30>", "IST.eyJ<u110>", "buf_<h64>", "gta_<l40>", "gto_<l40>", "key_<h64>", "crsr_<h64>",
        "zpka_<h32>_<h8>", "zpct_<h32>_<h8>", "SCW<A17>", "AKID<a32>", "AKID<a16>", "AKLT<a50>", "akab-<l16>-<l16>",
        "EXO<h24>", "EXO<u24>",
    ]
}
