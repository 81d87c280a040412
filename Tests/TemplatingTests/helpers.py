# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import base64, random, re, sys
from decimal import *
from urllib.parse import quote_plus, unquote_plus
getcontext().prec = 800
draw = random.Random(int(sys.argv[1]))
modes = {'HALF_EVEN': ROUND_HALF_EVEN, 'HALF_UP': ROUND_HALF_UP, 'HALF_DOWN': ROUND_HALF_DOWN, 'UP': ROUND_UP, 'DOWN': ROUND_DOWN, 'CEILING': ROUND_CEILING, 'FLOOR': ROUND_FLOOR}
def number():
    kind = draw.randrange(6)
    if kind == 0: return str(draw.choice((0, 1, -1, 5, 9, 10, 99, 100, 999, 1000, -1000, 123456, 9999999, -123456789)))
    if kind == 1: return repr(draw.choice((0.5, 1.5, 2.5, -0.5, -2.5, 0.05, 0.25, 0.125, 9.5, 9.995, 99.5, 999.95, 0.001, 0.0005, -0.004, 1234.5678)))
    return f'{round(draw.uniform(-1, 1) * 10 ** draw.randrange(-3, 8), 6):.{draw.randrange(1, 7)}f}'
def fixed(text, decimals, mode): return f'{abs(Decimal(repr(float(text))).quantize(Decimal(1).scaleb(-decimals), mode)):f}'
def grouped(text, size=3):
    whole, point, rest = text.partition('.')
    return re.sub(r'(?<=\d)(?=(?:\d{%d})+$)' % size, ',', whole) + point + rest
def format_text():
    flags, width, conversion = ''.join(draw.sample('-+ 0,', draw.choice((0, 0, 1, 1, 2)))), draw.choice(('', '', '6', '12')), draw.choice('dxXofes')
    if '-' in flags and '0' in flags or conversion == 's': flags = flags.replace('0', '')
    precision = '.' + str(draw.randrange(5)) if conversion in 'fes' and draw.random() < .7 else ''
    value = number() if conversion in 'fe' else str(draw.randrange(-10 ** draw.randrange(1, 9), 10 ** draw.randrange(1, 9))) if conversion != 's' else draw.choice(('abc', 'a longer text', 'x'))
    places = int(precision[1:]) if precision else 6
    negative = value.startswith('-') and float(value) != 0
    if conversion == 's': body, sign = (value[:places] if precision else value), ''
    else:
        if conversion == 'd': body = str(abs(int(value)))
        elif conversion in 'xXo': body, negative = format(int(value) % 2 ** 64, conversion), False
        elif conversion == 'f': body = fixed(value, places, ROUND_HALF_UP)
        else:
            exact = abs(Decimal(repr(float(value))))
            power = exact.adjusted() if exact else 0
            digits = exact.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
            if digits >= 10: digits, power = (digits / 10).quantize(Decimal(1).scaleb(-places)), power + 1
            body = f"{digits:f}e{'-' if power < 0 else '+'}{abs(power):02d}"
        if ',' in flags and conversion in 'dfxXo': body = grouped(body) if conversion in 'df' else ','.join(re.findall('.{1,3}', body[::-1]))[::-1]
        elif ',' in flags: flags = flags.replace(',', '')
        sign = '-' if negative else '+' if '+' in flags else ' ' if ' ' in flags else ''
        if '0' in flags: body = body.rjust(int(width or 0) - len(sign), '0')
    result = (sign + body).ljust(int(width or 0)) if '-' in flags else (sign + body).rjust(int(width or 0))
    index = draw.choice(('', '1$'))
    return f"{{{{stringFormat '[%{index}{flags}{width}{precision}{conversion}|%%]' '{value}'}}}}", f'[{result}|%]'
def number_format():
    value, mode, wholes, least, more, size = number(), draw.choice(list(modes)), draw.randrange(4), draw.randrange(3), draw.randrange(3), draw.choice((0, 0, 2, 3, 4))
    percent, around = draw.random() < .15, draw.random() < .2
    whole = '#' * draw.randrange(1, 3) + '0' * wholes
    if size: whole = whole.rjust(size + 1, '#'); whole = whole[:-size] + ',' + whole[-size:]
    decimals = '0' * least + '#' * more
    pattern = ('<' if around else '') + whole + ('.' + decimals if decimals else '') + ('%' if percent else '') + (';(0)' if around else '')
    exact = Decimal(repr(float(value))) * (100 if percent else 1)
    digits = f'{abs(exact.quantize(Decimal(1).scaleb(-least - more), modes[mode])):f}'
    head, _, tail = digits.partition('.')
    while len(tail) > least and tail.endswith('0'): tail = tail[:-1]
    head = head.lstrip('0').rjust(wholes or int(bool(decimals) and not least), '0')
    if not head and not tail: head = '0'
    text = (grouped(head, size) if size else head) + ('.' + tail if tail else '')
    negative = value.startswith('-')
    if around: text = f'({text})' if negative else f'<{text}' + ('%' if percent else '')
    else: text = ('-' if negative else '') + text + ('%' if percent else '')
    return f"{{{{numberFormat {value} '{pattern}' roundingMode='{mode.lower()}'}}}}", text
def math():
    a, b = [draw.choice((str(draw.randrange(-999, 1000)), f'{draw.uniform(-99, 99):.{draw.randrange(1, 4)}f}')) for _ in range(2)]
    sign = draw.choice('+-*/%x')
    x, y = Decimal(a), Decimal(b)
    scale = lambda t: len(t.partition('.')[2])
    def rest(): # As BigDecimal's: zeros at the end of the quotient take places from the rest.
        quotient, places = abs(int(x / y)), 0
        while places > scale(a) - scale(b) and quotient % 10 == 0: quotient, places = quotient // 10, places - 1
        return x % y, max(scale(a), scale(b) + places)
    if sign in '/%' and y == 0: return f"{{{{math {a} '{sign}' {b}}}}}", '[ERROR: Division by zero]'
    value, places = {'+': lambda: (x + y, max(scale(a), scale(b))), '-': lambda: (x - y, max(scale(a), scale(b))), '*': lambda: (x * y, scale(a) + scale(b)),
        'x': lambda: (x * y, scale(a) + scale(b)), '%': rest,
        '/': lambda: ((x / y).quantize(Decimal(1).scaleb(-scale(a)), ROUND_HALF_UP), scale(a))}[sign]()
    return f"{{{{math {a} '{sign}' {b}}}}}", str(int(value)) if places == 0 else repr(float(value) + 0.0)
def words(): return ' '.join(''.join(draw.choice('abcDE') for _ in range(draw.randrange(1, 7))) for _ in range(draw.randrange(1, 7)))
def text():
    t, n = words(), draw.randrange(0, 12)
    pad = draw.choice((' ', '*', 'xy', 'abc'))
    fill = lambda k: (pad * (k + 1))[:max(0, k)]
    missing = n - len(t)
    start = draw.randrange(0, len(t) + 1)
    end = draw.randrange(start, len(t) + 1)
    lines = ['']
    for word in t.split(' '):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > max(n, 1): lines.append(word)
        else: lines[-1] += (' ' if lines[-1] else '') + word
    coded = draw.choice(('a b&ü*', 'x=1&y=~', "é/?#[]@!$()+,;:._-", '100% ', '€'))
    return draw.choice((
        (f"ljust '{t}' size={n} pad='{pad}'", t + fill(missing)), (f"rjust '{t}' {n} pad='{pad}'", fill(missing) + t),
        (f"center '{t}' size={n} pad='{pad}'", fill(missing // 2) + t + fill(missing - missing // 2) if missing > 0 else t),
        (f"substring '{t}' {start} {end}", t[start:end]), (f"substring '{t}' {start}", t[start:]),
        (f"abbreviate '{t}' {n + 4}", t if len(t) <= n + 4 else t[:n + 1] + '...'), (f"wordWrap '{t}' {n}", '\\n'.join(lines)),
        (f"cut '{t}' 'a'", t.replace('a', '')), (f"replace '{t}' 'ab' '<ab>'", t.replace('ab', '<ab>')),
        (f"capitalize '{t}'", re.sub(r'\b.', lambda m: m[0].upper(), t)), (f"capitalize '{t}' fully=true", t.title()),
        (f"capitalizeFirst '{t}'", t[0].upper() + t[1:]), (f"slugify ' {t}_9 '", t.lower().replace(' ', '-')),
        (f"trim '  {t}  '", t), (f"base64 '{t}'", base64.b64encode(t.encode()).decode()),
        (f"base64 '{t}' padding=false", base64.b64encode(t.encode()).decode().rstrip('=')),
        (f"base64 '{base64.b64encode(t.encode()).decode()}' decode=true", t), (f"urlEncode '{coded}'", quote_plus(coded, safe='*').replace('~', '%7E')),
        (f"urlEncode '{quote_plus(coded)}' decode=true", coded), (f"stripTags '<b>{t}</b><i x=1>{t}'", t + t), (f"size '{t}'", str(len(t))),
        (f"join '{t}' 'b' '-' prefix='<' suffix='>'", f'<{t}-b>'), (f"range {start} {end}", str(list(range(start, end + 1)))),
        (f"range {end + 1} {start}", '[]'), (f"isEven {n}", 'even' if n % 2 == 0 else ''), (f"isOdd -{n}", 'odd' if n % 2 else ''),
        (f"stripes {n} 'a' 'b'", 'ba'[n % 2 == 0]), (f"gt {n} 5", str(n > 5).lower()), (f"gte {n} 5", str(n >= 5).lower()),
        (f"lt {n} 5", str(n < 5).lower()), (f"lte '{n}' 5", str(n <= 5).lower()), (f"eq {n} 5.0", str(n == 5).lower()), (f"neq '{t[0]}' 'a'", str(t[0] != 'a').lower())))
for make, count in ((format_text, 1500), (number_format, 1500), (math, 1000)):
    for _ in range(count): print(*make(), sep='\t')
for _ in range(2500):
    call, result = text()
    print('{{' + call + '}}', result, sep='\t')
