// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Specimen {
    /// Names that tell that any text is a secret.
    private static let passwords = [
        "password", "passwd", "pwd", "user_password", "newPassword", "current_password", "db_password", "passphrase",
        "DB_PASSWORD", "smtpPassword", "adminPassword", "root_password", "login[password]",
    ]

    /// Names that tell that a token is one.
    private static let tokens = [
        "access_token", "accessToken", "refresh_token", "id_token", "token", "auth_token", "api_key", "apiKey",
        "x-api-key", "client_secret", "clientSecret", "app_secret", "secret", "secret_key", "secretKey", "private_key",
        "csrf_token", "csrfToken", "xsrf", "authenticity_token", "session_token", "sessionId", "session_id", "jwt",
        "device_code", "authorization_code", "sdkKey", "sdk_key", "server_key", "serverKey", "signing_secret",
        "webhook_secret", "encryption_key", "consumer_secret", "oauth_token", "oauth_token_secret", "reset_token",
        "verification_token", "invite_token", "push_token", "bot_token", "deploy_key", "write_key", "admin_key",
        "account_key", "shared_key", "subscription-key", "integration_key", "aws_secret_access_key", "master_key",
        "service_key", "hmac_key", "storage_key", "api_secret", "bearer_token", "personal_access_token",
    ]

    private static let words = [
        "hunter7", "s3cr3t!", "korrekt pferd batterie", "Tr0ub4dor&3", "pässwörd-ünïcode", "p@ss w0rd 99", "zq!x",
        "letmein", "0penSesame",
    ]

    /// Values of telling names, in the formats that all of the web uses.
    package static let names: [Specimen] = {
        var all: [Specimen] = []
        for (number, name) in passwords.enumerated() {
            for (place, word) in words.enumerated() where (number + place) % 2 == 0 {
                let unique =
                    number / 2 % 2 == 0 ? word : Planted.random(11, seed: UInt64(number * 31 + place + 3)) + "!"
                all += usual(name, unique, isText: name.contains("[") ? false : true)
            }
        }
        for (number, name) in tokens.enumerated() {
            for (place, pattern) in ["<a16>", "<h32>", "<u43>", "<a9>-<a11>"].enumerated()
            where (number + place) % 2 == 0 {
                all += usual(name, made(pattern, seed: UInt64(number * 7 + place * 3 + 11)), isText: true)
            }
        }
        return all
    }()

    private static func usual(_ name: String, _ value: String, isText: Bool) -> [Specimen] {
        let quoted = value.replacing("\"", with: "\\\"")
        let encoded = percentEncoded(value)
        var all = [
            Specimen(
                "\(name) in JSON", .body("application/json"), "{\"a\": 1, \"\(name)\": \"\(quoted)\"}", secret: value),
            Specimen(
                "\(name) in JSON that is sent", .requestBody("application/json"), "{\"x\":{\"\(name)\":\"\(quoted)\"}}",
                secret: value),
            Specimen(
                "\(name) in a form", .requestBody("application/x-www-form-urlencoded"), "a=1&\(name)=\(encoded)&b=2",
                secret: value),
            Specimen("\(name) in a query", .query(name), value, secret: value),
            Specimen("\(name) in Location", .header("Location"), "/in?\(name)=\(encoded)&b=1", secret: value),
        ]
        if isText {
            let xml = value.replacing("&", with: "&amp;")
            all += [
                Specimen("\(name) in XML", .body("application/xml"), "<r><\(name)>\(xml)</\(name)></r>", secret: value),
                Specimen(
                    "\(name)=", .body("text/plain"), "user=ann\n\(name)=\(value)\nhost=example.com\n", secret: value),
                Specimen("\(name)= in quotes", .body("text/plain"), "\(name)=\"\(value)\"\nport=80\n", secret: value),
            ]
            if !value.contains(" "), value.utf8.allSatisfy({ $0 < 0x80 }) {
                all.append(
                    Specimen("\(name) as a line", .header("X-\(name)".replacing("_", with: "-")), value, secret: value))
            }
        }
        return all
    }
}
