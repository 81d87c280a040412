# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import datetime, ipaddress, json, random, re, sys
draw = random.Random(int(sys.argv[1]))
pick = draw.choice
unreserved, delims = "[A-Za-z0-9._~-]", "[!$&'()*+,;=]"
escape = '%[0-9A-Fa-f]{2}'
def uri(wide):
    more = '[\u0080-\U0010ffff]|' if wide else ''
    char = f'(?:{more}{unreserved}|{escape}|{delims}|[:@])'
    host = lambda t: True
    def check(text, scheme):
        found = re.fullmatch(rf'(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?(?://(?P<authority>[^/?#]*))?(?P<path>(?:{char}|/)*)(?:\?(?:{char}|[/?])*)?(?:[#](?:{char}|[/?])*)?', text)
        if not found or scheme and found['scheme'] is None: return False
        if found['scheme'] is None and found['authority'] is None and ':' in found['path'].split('/')[0]: return False
        if found['authority'] is None: return not found['path'].startswith('//')
        if found['path'] and not found['path'].startswith('/'): return False
        part = re.fullmatch(rf'(?:(?:{more}{unreserved}|{escape}|{delims}|:)*@)?(?P<host>\[[^\]]*\]|(?:{more}{unreserved}|{escape}|{delims})*)(?::[0-9]*)?', found['authority'])
        if not part: return False
        return not part['host'].startswith('[') or re.fullmatch(rf'[vV][0-9A-Fa-f]+\.(?:{unreserved}|{delims}|:)+', part['host'][1:-1]) is not None or ipv6(part['host'][1:-1])
    return check
def attempt(function, *given):
    try: function(*given); return True
    except ValueError: return False
def ipv4(text): return re.fullmatch(r'[0-9.]*', text) is not None and attempt(ipaddress.IPv4Address, text)
def ipv6(text): return re.fullmatch(r'[0-9A-Fa-f:.]*', text) is not None and attempt(ipaddress.IPv6Address, text)
def date(text): return re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', text) is not None and (attempt(datetime.date.fromisoformat, text) or text[:4] == '0000' and attempt(datetime.date.fromisoformat, '2000' + text[4:]))
def time(text):
    found = re.fullmatch(r'([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))', text)
    if not found: return False
    hour, minute, second = map(int, found.group(1, 2, 3))
    off = (int(found[5]) * 60 + int(found[6])) * (1 if found[4] == '+' else -1) if found[4] else 0
    if found[4] and (int(found[5]) > 23 or int(found[6]) > 59) or hour > 23 or minute > 59 or second > 60: return False
    return second < 60 or (hour * 60 + minute - off) % 1440 == 1439
def label(text): return re.fullmatch('[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?', text) is not None
def host(text): return len(text) <= 253 and all(map(label, text.split('.')))
def email(text):
    local, at, domain = text.rpartition('@')
    if not at or not text.isascii(): return False
    if not re.fullmatch(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*", local, re.A) and not re.fullmatch(r'"(?:[^\x00-\x1f\x7f"\\]|\\[\x20-\x7e])*"', local): return False
    if domain[:1] == '[' and domain[-1:] == ']' and len(domain) > 1: return ipv6(domain[6:-1]) if domain[1:6] == 'IPv6:' else ipv4(domain[1:-1])
    return host(domain)
def idn(text):
    """Labels of letters that are all allowed, by their length in ASCII; Python has the coding."""
    labels = re.split('[.\u3002\uff0e\uff61]', text)
    sizes = [len(l) if l.isascii() else 4 + len(l.encode('punycode')) for l in labels]
    if any(re.fullmatch(r'[a-z0-9-]*', ''.join(c for c in l if c.isascii())) is None for l in labels): return False
    return all(0 < s < 64 for s in sizes) and all(l[0] != '\u0301' for l in labels) and sum(sizes) + len(sizes) - 1 <= 253 and all(l[0] != '-' and l[-1] != '-' and l[2:4] != '--' for l in labels)
duration = r'P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)'
pointer = '(?:/(?:[^/~]|~[01])*)*'
variable = r'(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9][0-9]{0,3})?'
template = rf'''(?:[^\x00-\x20\x7f"'%<>\\^`{{|}}]|{escape}|\{{[+#./;?&=,!@|]?{variable}(?:,{variable})*\}})*'''
whole = lambda pattern: lambda text: re.fullmatch(pattern, text, re.S) is not None
formats = {
    'ipv4': (ipv4, ['127.0.0.1', '255.255.255.255', '0.0.0.0', '10.20.99.100']), 'ipv6': (ipv6, ['::1', '::', '1::', '1:2:3:4:5:6:7:8', '1:2::7:8', '::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', 'abcd:EF01:2345:6789:abcd:ef01:2345:6789', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', 'abcd:ef01:2345:6789:abcd:ef01:255.255.255.255']),
    'date': (date, ['2020-02-29', '1999-12-31', '2000-02-29', '1900-02-28', '0004-04-30']), 'time': (time, ['23:59:60Z', '08:30:06.283185+02:00', '00:29:60-23:30', '15:59:60-08:00', '12:00:00z', '01:29:60+01:30']),
    'date-time': (lambda t: len(t) > 10 and t[10] in 'Tt' and date(t[:10]) and time(t[11:]), ['2020-02-29T23:59:60Z', '1999-12-31t00:00:00.5+02:00', '1998-12-31T15:59:60.123-08:00']),
    'duration': (whole(duration), ['P4DT12H30M5S', 'P2W', 'P1Y2M3D', 'PT1M', 'P1YT1H', 'P0D', 'P1Y2M3DT4H5M6S', 'PT36H']),
    'email': (email, ['a.b@c.de', '"a b"@c.de', '"a\\"b"@c.de', 'a@[127.0.0.1]', 'a@[IPv6:::1]', '{a}+b|c~d@x-y.z', '"a@b"@c']),
    'hostname': (lambda t: host(t), ['a-b.example', 'x' * 63 + '.y', '.'.join(['a' * 49] * 5) + '.bcd', 'A9', '9.8']),
    'idn-hostname': (idn, ['b\u00fccher.example', '\u4f8b\u3048\u3002test', '\u00e4' * 20, '\u4f8b' * 18 + 'abc', 'a\u00e9b\u0301c\uff0ede', '\u00fc' * 56, '\u00fc' * 40 + 'abcdefghi', 'abc\u65e5\u672c\u8a9e', '\u0436' * 30 + '.' + 'x' * 63, '\u00e9\uff61a', '.'.join(['a' * 48] * 4 + ['b' * 46]) + '.b\u00fc', '\u05d0\u0627\u0915\u0e01' * 4]),
    'uri': (lambda t: uri(False)(t, True), ['http://a.b/c?d#e', 'urn:x:y', 'ftp://u:p@h:80/', 'http://[::1]:80/a', 'http://[v1.a:b]/', 'a+b-c.9:/x', 'mailto:a@b', 'http://%41/%20?%3f/?#%23/?', 'file:///a', "x:!$&'()*+,;=", 'http://h:?q', 'x:']),
    'uri-reference': (lambda t: uri(False)(t, False), ['../a?b', '//h/x', 'a:b', '#f', '', '/a:b', 'a/b:c', '?x=1', '//[::1.2.3.4]', './a:b', '//u@h:1']),
    'iri': (lambda t: uri(True)(t, True), ['http://b\u00fccher.example/\u00e9?\u00e8#\u4f8b', 'x:\u00e9']), 'iri-reference': (lambda t: uri(True)(t, False), ['\u00e9/\u00e8', '//\u00e9@\u00e8:1/', '#\u00e9']),
    'uri-template': (whole(template), ['/a/{b}{?c*,d:3}', 'x{+y}%20', '{a.b,c:1234}', '{#a_1}{%41}', '']), 'json-pointer': (whole(pointer), ['/a~1b/~0', '', '/', '//x', '/a/~00']),
    'relative-json-pointer': (whole('(?:0|[1-9][0-9]*)(?:#|' + pointer + ')'), ['1/a', '0#', '10', '120/~0/b']), 'uuid': (whole('[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'), ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2EB8AA08-AA98-11EA-B4AA-73B441D16380']),
}
def changed(text, name):
    signs = '0123459' * 2 + 'aAfFgzZ:./-+%#?@[]{}~!*,"\\ _TtPDHWYMS\u00e9' + ('\u3002' if name == 'idn-hostname' else '\x1f\x20\x7f<>^`|\'')
    if name == 'idn-hostname': signs = 'ab-.09\u00e9\u00fc\u4f8b\u3042'
    for _ in range(draw.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        kind, at = draw.randrange(5), draw.randrange(len(text) + 1)
        if kind == 0: text = text[:at] + pick(signs) + text[at:]
        elif kind == 1: text = text[:at] + text[at + 1:]
        elif kind == 2: text = text[:at] + pick(signs) + text[at + 1:]
        elif kind == 3: text = text[:at] + text[at:at + draw.randrange(1, 9)] + text[at:]
        elif at: text = text[:at] if draw.random() < .5 else text[at:]
    return text
for _ in range(int(sys.argv[2])):
    text = ''.join(pick(pick(('a', 'ab', 'é', 'éü', 'あ例', 'жa'))) for _ in range(draw.randrange(10, 58)))
    print('idn-hostname', 'valid' if idn(text) else 'invalid', json.dumps(text), sep='\t')
for name, (check, samples) in formats.items():
    for text in samples:
        assert check(text), (name, text)
    for _ in range(int(sys.argv[2])):
        text = changed(pick(samples), name)
        if '%' in text and name in ('uri-template',) and re.search(r'\{[^}]*%', text): continue
        print(name, 'valid' if check(text) else 'invalid', json.dumps(text), sep='\t')
