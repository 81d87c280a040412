// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The kind of a secret.
struct SecretKind: Sendable, Hashable {
    /// As findings name it, with its article.
    var words: String
    /// As placeholders in texts without places of their own name it.
    var slug: String

    init(_ words: String, _ slug: String) {
        self.words = words
        self.slug = slug
    }

    static let jsonWebToken = SecretKind("a JSON Web Token", "jwt")
    static let privateKey = SecretKind("a private key", "private-key")
    static let urlCredentials = SecretKind("credentials in a URL", "credentials")
    static let bearer = SecretKind("a bearer token", "bearer-token")
    static let basic = SecretKind("a user and a password of Basic authentication", "basic-credentials")
    static let authorization = SecretKind("credentials of an Authorization field", "authorization")
    static let cookie = SecretKind("the value of a cookie", "cookie")
    static let highEntropy = SecretKind("a string of high entropy", "string")
    static let telegram = SecretKind("a Telegram bot token", "telegram-token")
    static let discord = SecretKind("a Discord token", "discord-token")
    static let mailchimp = SecretKind("a Mailchimp key", "mailchimp-key")
    static let azureSecret = SecretKind("a client secret of Azure", "azure-secret")
    static let terraform = SecretKind("a Terraform token", "terraform-token")
    static let link = SecretKind("the secret of a link", "link")
    static let rule = SecretKind("a value that is to be redacted", "value")

    /// A value that is known by its name.
    static func named(_ name: String) -> SecretKind {
        SecretKind("the secret of the name \"\(name)\"", name)
    }

    /// A value that was met before.
    static func known(_ placeholder: String) -> SecretKind {
        SecretKind("the secret that is elsewhere \(placeholder)", "secret")
    }
}
