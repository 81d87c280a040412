# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import random, sys
from datetime import datetime, timezone
from io import BytesIO
from zoneinfo import ZoneInfo
draw = random.Random(int(sys.argv[1]))
def block(version, width, times, types, names):
    counts = [0, 0, 0, len(times), len(types), len(names)]
    return (b'TZif' + version + bytes(15) + b''.join(n.to_bytes(4, 'big') for n in counts)
        + b''.join(t.to_bytes(width, 'big', signed=True) for t, _ in times) + bytes(i for _, i in times)
        + b''.join(o.to_bytes(4, 'big', signed=True) + bytes([d, n]) for o, d, n in types) + names)
def clock(seconds, sign=True):
    text = draw.choice(('', '+')) if seconds >= 0 else '-'
    s = abs(seconds)
    return text + str(s // 3600) + (f':{s // 60 % 60:02d}' + (f':{s % 60:02d}' if s % 60 else '') if s % 3600 else draw.choice(('', '', ':00')))
def offset(): return draw.randrange(-12, 13) * 3600 + draw.choice((0, 0, 0, 1800, 2700, 61))
def rule():
    # The days of a year that are counted from its first are those of another year to some versions of Python.
    day = f'M{draw.randrange(2, 12)}.{draw.randrange(1, 6)}.{draw.randrange(7)}'
    return day + draw.choice(('', '', '/' + clock(draw.choice((0, 3600, 10800, 86400, 9296, 167 * 3600 + 59 * 60 + 59, -3600, -90000)))))
def footer():
    west = offset()
    text = draw.choice(('ABC', 'Standard', '<+03>', '<-1>')) + clock(-west)
    if draw.random() < .2: return text, west
    start = rule()
    # A summer that begins when it ends is the whole year.
    end = start if draw.random() < .1 else rule()
    return text + draw.choice(('DEF', '<+9a>')) + (clock(-west) if end == start else draw.choice(('', clock(-west - draw.choice((1800, 3600, -3600)))))) + f',{start},{end}', west
def year_of(z, s): return datetime.fromtimestamp(s, timezone.utc).year
def look(z, s):
    t = datetime.fromtimestamp(s, z)
    return int(t.utcoffset().total_seconds()), t.tzname()
count = 0
while count < 120:
    names = b'LMT\0AAA\0+03\0'
    types = [(offset(), 0, draw.choice((0, 4, 5, 8))) for _ in range(draw.randrange(1, 5))]
    start, times = draw.randrange(-2000000000, 1000000000), []
    for _ in range(draw.choice((0, 1, 2, 5))):
        start += draw.choice((86400 * 30, draw.randrange(90000, 10 ** 8)))
        times.append((start, draw.randrange(len(types))))
    if not times: types = types[:1]
    rest, west = footer()
    if draw.random() < .2: data = block(b'\0', 4, times, types, names)
    else: data = block(b'3', 4, *draw.choice((([], [(0, 0, 0)], b'XX\0'), (times, types, names)))) + block(b'3', 8, times, types, names) + b'\n' + (rest.encode() if draw.random() < .8 else b'') + b'\n'
    try: z = ZoneInfo.from_file(BytesIO(data), key='x')
    except ValueError as error: sys.exit(f'{error}: {rest}')
    seen = [s + d for s, _ in times for d in (-1, 1, 3600)] + [draw.randrange(-2200000000, 4000000000) for _ in range(6)]
    for year in (draw.choice((2024, 2028, 2096)), draw.randrange(2038, 2099), draw.choice((2100, 2101))):
        new = int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp())
        for s in range(new + 86400 * 9, new + 86400 * 355, 86400 * 2):
            low, high = s, s + 86400 * 2
            if look(z, low) == look(z, high): continue
            while high - low > 1:
                middle = (low + high) // 2
                if look(z, middle) == look(z, low): low = middle
                else: high = middle
            seen += [low, high]
        seen += [new + 86400 * draw.randrange(10, 355) + draw.randrange(86400) for _ in range(4)]
    # Close to a new year the two take the rules of different years; close to the last transition, Python has no footer yet.
    seen = [s for s in seen if 9 <= datetime.fromtimestamp(s, timezone.utc).timetuple().tm_yday <= 356 and not (times and 0 <= s - times[-1][0] < 10 ** 6)]
    count += 1
    print(data.hex(), *[f'{s} {look(z, s)[0]} {look(z, s)[1]}' for s in seen], sep='|')
