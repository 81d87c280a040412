# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import calendar, random, sys
from datetime import date, datetime, timedelta, timezone
from email.utils import format_datetime
from zoneinfo import ZoneInfo
draw, epoch = random.Random(int(sys.argv[1])), datetime(1970, 1, 1, tzinfo=timezone.utc)
def load(name):
    if name[0] not in '+-': return ZoneInfo(name)
    return timezone((1 if name[0] == '+' else -1) * timedelta(hours=int(name[1:3]), minutes=int(name[4:])))
def o(t, separator='', sign=1, seconds=0):
    s = int(t.utcoffset().total_seconds())
    if not sign: return s
    text = f"{'-' if s < 0 else '+'}{abs(s) // 3600:02d}{separator}{abs(s) // 60 % 60:02d}"
    return text + f"{separator}{abs(s) % 60:02d}" if seconds and s % 60 else text
def short(t):
    text = o(t)
    if o(t, sign=0) == 0: return 'GMT'
    return f"GMT{text[0]}{int(text[1:3])}" + ('' if text[3:] == '00' else ':' + text[3:])
def day(t, d): return date(t.year, t.month, d)
def micro(t): return ((t.hour * 60 + t.minute) * 60 + t.second) * 1000000 + t.microsecond
def sunday(d): return d - timedelta((d.weekday() + 1) % 7)
def week(t):
    first = sunday(t.date())
    year = (first + timedelta(6)).year
    number = (first - sunday(date(year, 1, 1))).days // 7 + 1
    return year, number, number
def months(t, n):
    m = t.year * 12 + t.month - 1 + n
    y, m = m // 12, m % 12 + 1
    return t.replace(year=y, month=m, day=min(t.day, calendar.monthrange(y, m)[1]))
def stamp(t): return int((t - epoch).total_seconds() // 1)
def instants(z):
    found = [draw.randrange(-2208988800, 4102444800) for _ in range(24)]
    for year in [draw.randrange(1902, 2099) for _ in range(9)]:
        def at(s): return datetime.fromtimestamp(s, z).utcoffset()
        start = stamp(datetime(year, 1, 1, tzinfo=timezone.utc))
        for s in range(start, start + 366 * 86400, 86400):
            if at(s) != at(s + 86400):
                low, high = s, s + 86400
                while high - low > 1:
                    middle = (low + high) // 2
                    if at(middle) == at(s): low = middle
                    else: high = middle
                found += [low, high, high + draw.randrange(7200)]
    return found
def local(text): return datetime.strptime(text, '%Y-%m-%dT%H:%M:%S')
for zone in sys.argv[2].split(','):
    z = load(zone)
    for s in instants(z):
        t = datetime.fromtimestamp(s, z).replace(microsecond=draw.randrange(1000000))
        print('text', zone, s, t.microsecond, *[eval(c) for c in sys.argv[3:]], sep='|')
        print('iso', zone, s, t.isoformat(), sep='|')
        if s % 5 == 0: print('http', zone, s, format_datetime(t.astimezone(timezone.utc).replace(microsecond=0), usegmt=True), t.astimezone(timezone.utc).ctime(), sep='|')
        clock = t.replace(tzinfo=None, microsecond=0) + timedelta(seconds=draw.choice((0, 0, 1, -1, 1800, -1800, 3600, -3600, 86400)))
        print('clock', zone, stamp(clock.replace(tzinfo=z, fold=0)), clock.isoformat(), sep='|')
        n, unit = draw.randrange(-40, 41), draw.choice(('seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'))
        naive = t.replace(tzinfo=None, microsecond=0, fold=0)
        if unit in ('seconds', 'minutes', 'hours'): moved = s + int(timedelta(**{unit: n}).total_seconds())
        elif unit in ('days', 'weeks'): moved = stamp((naive + timedelta(**{unit: n})).replace(tzinfo=z, fold=0))
        else: moved = stamp(months(naive, n * (12 if unit == 'years' else 1)).replace(tzinfo=z, fold=0))
        print('shift', zone, s, f'{n} {unit}', moved, sep='|')
        midnight = naive.replace(hour=0, minute=0, second=0)
        first, new = midnight.replace(day=1), midnight.replace(month=1, day=1)
        name, cut = draw.choice((
            ('first second of minute', naive.replace(second=0)), ('first minute of hour', naive.replace(minute=0, second=0)),
            ('first hour of day', midnight), ('first day of month', first), ('first day of next month', months(first, 1)),
            ('last day of month', months(first, 1) - timedelta(1)), ('first day of year', new), ('first day of next year', months(new, 12)),
            ('last day of year', months(new, 12) - timedelta(1))))
        print('cut', zone, s, name, stamp(cut.replace(tzinfo=z, fold=0)), sep='|')
