// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Content in gzip as no encoder of this package makes it: in members, twice, in a chain, cut off, and altered.
enum CodedSamples {
    struct Sample: Sendable {
        /// The content before it was coded; empty if it cannot be had.
        let text: [UInt8]
        /// The bytes that are sent.
        let bytes: [UInt8]
    }

    private static let bottles = (0..<60).map { "\($0 * 7919 % 1000) bottles, " }.joined()

    /// One member that is whole.
    static let whole = Sample(
        text: Array(bottles.utf8),
        bytes: bytes(
            """
            H4sIAAAAAAACA03SOWoDURBF0a1oAQ5qHrZjUCZQ4N4/DuuGFxr+oV/J6/f7PJ/3389rdS/G56KzL6rrIjcRGhfhfuFpF9Z6oSsIgcAA2A\
            BgCoAeAFoAKAMgA4AoAHwAsCVAIVCHIAHYBmAWgFEA2gGoBCAbgBgAQgBwA8ACAi0KAMDza8Zv8HyXcNvltsNtm9sWt01uG9wWAlUIHIBN\
            4bbLbXmDwhs03mAkt+UPGN6g8AYNgn8RNz4yBAMAAA==
            """))
    /// Two members, which are one content (RFC 1952 §2.2).
    static let members = Sample(
        text: Array("first second".utf8),
        bytes: bytes(
            """
            H4sIAAAAAAACA0vLLCouUQAA/HrxHAYAAAAfiwgAAAAAAAIDK05Nzs9LAQBpER+2BgAAAA==
            """))
    /// A member within a member.
    static let twice = Sample(
        text: Array("twice".utf8),
        bytes: bytes(
            """
            H4sIAAAAAAACA5Pv5mAAASZmbc3zPn6sDNol0zhYgQIAKfgkQRkAAAA=
            """))
    /// A member with an extra field, a name and a comment.
    static let named = Sample(
        text: Array("named".utf8), bytes: bytes("H4sIHAAAAAACAwgAQUIEAGFiY2RhLnR4dABhcyBpdCBpcwDLS8xNTQEAh8zgcQUAAAA="))
    /// Coded by deflate, and then by gzip.
    static let ordered = Sample(
        text: Array("in order".utf8), bytes: bytes("H4sIAAAAAAACA6uYc/pM8Al9L09dJgbeXGYRACY89vYQAAAA"))
    /// A member within a member, sixty deep.
    static let chain = Sample(
        text: Array("chained".utf8),
        bytes: bytes(
            """
            H4sIAAAAAAACAwHxBA77H4sIAAAAAAACAwHaBCX7H4sIAAAAAAACAwHDBDz7H4sIAAAAAAACAwGsBFP7H4sIAAAAAAACAwGVBGr7H4sIAA\
            AAAAACA03HaVQSBgDAcU1W+loHlriG004vNrO8Mmtg5cvUYDxBExXNsgvBly3vY7WOkeswPMI05jR0apKZCjIirQQJNGceIIiFQIhKaOLj\
            nvs0/19+7+9WbG/zX6vsbAmAEqPb/xsLaFi5MAB75XoBRlauI2B2xZI0imQbW/czvUH8nqIpoLiJj+GKC/h3uGI5H8gVO/D14QlSGcOWNL\
            Zl/WZ4nDlTkspeqNebsS0h3W0HjkKmuuGWoV3F5bcEwrItuG/TUs58sxV6cUkCaeMF5QOFjdmSeVy4uItynLj+rTHC8PV44Ooock4uQ7YG\
            VLJoCnyzQDFDzWxCb5fmijUsxBhDL4T6y4pOV4zlXe5jhSiO5uvRyo7sOQ2Yny5zSVSa7PdmDuXTaZx3J6J1P1e2X1AIKm8cPfv7aIinii\
            sEw0VAE+GxsY7nselwdVdGwBKI89nzczwiOb0YAU0AVUFCEn87WVsg+qLP2xRgQXln8cK8MTjfqP36qRxd3ATziRYH+bFF+M8D3fRL+Xnn\
            2ELyIDRA4uWVTaOenH44cAgMd+kTJhoJalNZVInLhv7CsRpsw/NwtALZ21qd84GEcW2AGKzMipf6tBTB8SuXiUGulkg107FTPUzMmglzV2\
            nJB75S3Ayui/KbTbgOpUSemGthtCvTbpd/GUK4UuhvIyBu+YafIIbXOFHfyECO9apGexyb/D2NYUjpuVX7kXxzFx+en9On+3ypuYmxf8Gp\
            rXwsXHLjlaNSLCXcVxa/EPLotf41oTiE1vj82lAYcFpZW5mL+tWKhz5islNw/WSKD8IPHXlWau4JPmVV9a+juSihaQ576f3AVsSkutWJVL\
            Q7h2HKKD2UrYK+ot1Hbi82gq3pD/AW+TVsXD/nj+Cqj3cJ6XI26yznwjhLf3GhTh3ki0ow1zPEOm7mXbfHI8phCj5zbcdBMO/gtjClKEty\
            qwVPWiWiGpIGPSsJE99h/yZIaXa5EmrhTNLihPiHNktNayhq54wAzB4QB8A9QNzNvPimI+qWFN+ITxv1jbJnZ+7yag2sgksK/z31T9aZXC\
            +evxk6+9e4cLzd9ZhE5o168FS7eqhasGfBH7H2oGrjPh/N/ECpOf9TYFxMKLnRDTr36VG8oXswhkMPnobfMd6uqkd2Myrc358O1NHOYRwz\
            BRPNzyF3AkIj5iUd6EfI5tFOAcOEOnfKwpvsKY9e4+yJp6QhE3Amd/zATOkcGzdaJ2XvG9Xdm49UCYI5HfjxsuSmc88UMVygTPGUz2HOqk\
            lTse9fg5wWjwUR5Y18+UNoW4YsqnW0yFLANGql17+8w4zsCAaLFImzSex4mjmX2FmUaF26SvQADfTpF68aMZOaBrYetztGodWi7RHpWUzm\
            1mrN5JHb99TD15P2RtGpjWhsGgNnRlopaHle+yGWYJdmKTUV9IK1RBke/JgJ2+Fnd5i724/qABNtr8N/yNhq7lKZqwpguammbeommOFVbT\
            Q1/Rd/my1vKhLsADY2PmWX8hyXtXu/IcRr2fhY52ewZefK/twZu2xq6vhhwrL/AgbjFL+FBAAAoM5hNpUEAACL0LRMrAQAAKkFJSnDBAAA\
            JjQ8BtoEAACO59JT8QQAAA==
            """))
    /// The first half of a member.
    static let cut = Sample(text: [], bytes: Array(whole.bytes.prefix(whole.bytes.count / 2)))
    /// A member without checksum and length.
    static let endless = Sample(text: [], bytes: Array(whole.bytes.dropLast(8)))
    /// A member whose checksum is that of other content.
    static let altered = Sample(
        text: [],
        bytes: whole.bytes.enumerated().map { $0.offset == whole.bytes.count - 8 ? $0.element ^ 0x55 : $0.element })

    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
