# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import random, re, sys
from xml.parsers import expat
draw = random.Random(int(sys.argv[1]))
pick = draw.choice
def maybe(share, text): return text if draw.random() < share else ''
def blank(): return pick(('', '', '', ' ', '\n', '\r\n', '\t ', '  \n'))
def texts(): return pick(('a', ' b ', 'a &lt; b', '&amp;', '&gt;', '&quot;', '&#13;', '&#xE9;', 'é', '😀', '\n\t', ' ', '  x\ny ', '"', "'", '\u00a0', 'e\u0301', ']]&gt;', '-', 'a\r\nb', '&#9;'))
def content(level):
    out = ''
    for _ in range(draw.randrange(5 if level < 4 else 2)):
        kind = draw.randrange(9)
        if kind < 4: out += element(level + 1)
        elif kind == 4: out += blank()
        elif kind == 5: out += texts() + texts()
        elif kind == 6: out += pick(('<!---->', '<!-- a - b -->', '<!--<a b="1">-->', '<!-- " -->'))
        elif kind == 7: out += pick(('<?a?>', '<?a b c ?>', '<?x-y  1?>', '<?q "?>', '<?q <a b=\'?>'))
        else: out += pick(('<![CDATA[<a b="]]>', '<![CDATA[ x ]]>', '<![CDATA[a]]b]>c]]>', '<![CDATA[ ]]>', '<![CDATA[a]]><![CDATA[b]]>'))
    return out
def element(level, first=''):
    name = pick(('a', 'b', 'c', 'a', 'p:a', 'q:b', 'é', 'a-b.c', 'u:a'))
    parts = {'xmlns': ("''" if level % 2 else "'urn:d'") if draw.random() < .12 else None, 'xmlns:p': pick(("'urn:p'", "'urn:o'")) if draw.random() < .12 else None}
    if level == 0: parts = {'xmlns:p': "'urn:p'", 'xmlns:q': "'urn:q'"}
    for _ in range(draw.randrange(4)):
        mark = pick('\'"')
        parts[pick(('i', 'j', 'k', 'xml:lang', 'xml:id', 'q:j', 'u:i', 'b'))] = mark + pick(('1', '', ' 2 ', 'a&lt;b', '&amp;', '&quot;', '&apos;', '&#10;', '&#9;', 'x\ny', 'x>y', 'é', '\t', '"' if mark == "'" else "'", '&#13;', '/>', '<'.replace('<', '&lt;'))) + mark
    if draw.random() < .05: parts['xml:space'] = pick(("'preserve'", '"default"'))
    parts = [(n, v) for n, v in parts.items() if v is not None]
    draw.shuffle(parts)
    written = ''.join(pick((' ', '\n', '  ')) + n + pick(('=', ' = ', '=')) + v for n, v in parts)
    inner = content(level)
    if not inner and draw.random() < .7: return f'<{name}{written}{pick(("", " "))}/>'
    return f'<{name}{written}>{inner}</{name}{maybe(.1, " ")}>'
codings = ['utf-8', 'utf-8-sig', 'utf-16-le', 'utf-16-be', 'le-bare', 'be-bare', 'iso-8859-1', 'windows-1252', 'US-ASCII', 'ISO-8859-15']
def document():
    coding = pick(codings + ['utf-8'] * 6)
    name = {'utf-8-sig': 'UTF-8', 'utf-16-le': 'UTF-16', 'utf-16-be': 'utf-16', 'le-bare': 'UTF-16', 'be-bare': 'UTF-16'}.get(coding, coding)
    declared = draw.random() < .5 or name.lower() not in ('utf-8', 'utf-16')
    mark = pick('\'"')
    text = f'<?xml version={mark}1.0{mark}{pick((" ", "  "))}encoding{pick(("=", " = "))}{mark}{name}{mark}{maybe(.3, " standalone=" + mark + "yes" + mark)} ?>' if declared else maybe(.2, '<?xml version="1.0"?>')
    text += blank() if text else ''
    text += maybe(.2, '<!-- top " -->\n') + maybe(.15, '<?top <?>') + maybe(.25, pick(('<!DOCTYPE a>', '<!DOCTYPE a SYSTEM "none.dtd">', '<!DOCTYPE a [ <!ELEMENT a ANY> <!-- \' > ] --> ]>', "<!DOCTYPE a PUBLIC 'x' \"y\" [<?p ]> ' ?>\n<!ATTLIST zz i CDATA '>]'>] >", '<!DOCTYPE a [<!ENTITY e SYSTEM "x">]>', '<!DOCTYPE a [<!ENTITY % e PUBLIC "x" \'y\'>]>', "<!DOCTYPE a [<!NOTATION n SYSTEM 'x'>]>")))
    text += blank() * bool(text) + element(0) + blank() + maybe(.1, '<!--end-->') + maybe(.1, '<?end?>\n')
    if draw.random() < .02: text = text.replace('</', 'é😀' * pick((511, 512, 513, 1023, 1024)) + maybe(.5, 'x') + '</', 1) if '</' in text else text
    real = {'utf-16-le': 'utf-16-le', 'le-bare': 'utf-16-le', 'utf-16-be': 'utf-16-be', 'be-bare': 'utf-16-be', 'windows-1252': 'cp1252'}.get(coding, coding)
    if coding in ('iso-8859-1', 'windows-1252', 'US-ASCII', 'ISO-8859-15'): text = ''.join(c if c.isascii() or c == 'é' and coding != 'US-ASCII' else 'z' for c in text)
    data = text.encode(real)
    if coding == 'utf-16-le': data = b'\xff\xfe' + data
    if coding == 'utf-16-be': data = b'\xfe\xff' + data
    plain = re.sub(r'^(<\?xml.*?)\s+encoding\s*=\s*(["\']).*?\2', r'\1', text)
    return data, plain
class Node:
    def __init__(self, kind, name='', value='', parent=None):
        self.kind, self.name, self.value, self.parent, self.inner, self.attributes, self.scope = kind, name, value, parent, [], [], {}
        if parent is not None: parent.inner.append(self)
    def names(self):
        prefix, colon, local = self.name.rpartition(':')
        return prefix if colon else None, local
    def namespace(self, name, isAttribute=False):
        prefix = name.rpartition(':')[0] if ':' in name else None
        if prefix == 'xml': return 'http://www.w3.org/XML/1998/namespace'
        if prefix is None and isAttribute: return None
        node = self
        while node is not None:
            if prefix in node.scope: return node.scope[prefix] or None
            node = node.parent
        return None
def parsed(plain):
    reader = expat.ParserCreate()
    reader.ordered_attributes, reader.buffer_text = True, True
    root = Node('document')
    state = {'at': root, 'cdata': False}
    def begin(name, attributes):
        state['at'] = node = Node('element', name, '', state['at'])
        rows = list(zip(attributes[::2], attributes[1::2]))
        spaces = [r for r in rows if r[0] == 'xmlns' or r[0].startswith('xmlns:')]
        node.scope = {(n[6:] or None): v for n, v in spaces}
        node.attributes = [('namespace', *r) for r in spaces] + [('attribute', *r) for r in rows if r not in spaces]
    def end(name): state['at'] = state['at'].parent
    def letters(text):
        at = state['at']
        kind = 'cdata' if state['cdata'] else 'text'
        if at.inner and at.inner[-1].kind == kind: at.inner[-1].value += text
        else: Node(kind, '', text, at)
    reader.StartElementHandler, reader.EndElementHandler, reader.CharacterDataHandler = begin, end, letters
    within = []
    reader.StartDoctypeDeclHandler = lambda *_: within.append(1)
    reader.EndDoctypeDeclHandler = lambda: within.clear()
    reader.CommentHandler = lambda text: within or Node('comment', '', text, state['at'])
    reader.ProcessingInstructionHandler = lambda name, text: within or Node('instruction', name, text, state['at'])
    def section(opens): state['cdata'] = opens
    reader.StartCdataSectionHandler, reader.EndCdataSectionHandler = lambda: section(True), lambda: section(False)
    reader.Parse(plain, True)
    return root
def escaped(text, quotes=False):
    for sign, name in [('&', '&amp;'), ('<', '&lt;'), ('>', '&gt;'), ('\r', '&#13;')] + [('"', '&quot;'), ('\n', '&#10;'), ('\t', '&#9;')] * quotes: text = text.replace(sign, name)
    return text
def start(node, rows=None): return '<' + node.name + ''.join(f' {n}="{escaped(v, True)}"' for _, n, v in (node.attributes if rows is None else rows))
def written(node):
    if node.kind == 'document': return ''.join(map(written, node.inner))
    if node.kind == 'text': return escaped(node.value)
    if node.kind == 'cdata': return f'<![CDATA[{node.value}]]>'
    if node.kind == 'comment': return f'<!--{node.value}-->'
    if node.kind == 'instruction': return f'<?{node.name}{" " if node.value else ""}{node.value}?>'
    return start(node) + ('>' + ''.join(map(written, node.inner)) + f'</{node.name}>' if node.inner else '/>')
space = ''.join(map(chr, range(33)))
def java(node, keeps, sorts, level):
    """As the transformers of Java's library write it: with a line for each child where one is not text."""
    if node.kind == 'document': return ''.join(java(n, keeps, sorts, level) for n in node.inner)
    if node.kind != 'element': return written(node)
    inner = [n for n in node.inner if keeps or n.kind not in ('text', 'cdata') or n.value.strip(space)]
    rows = sorted(node.attributes, key=lambda r: (r[0] != 'namespace', r[1])) if sorts else node.attributes
    if any(r[1:] == ('xml:space', 'preserve') for r in rows): level = None
    if not inner: return start(node, rows) + '/>'
    if level is None or all(n.kind in ('text', 'cdata') for n in inner): return start(node, rows) + '>' + ''.join(java(n, keeps, sorts, None) for n in inner) + f'</{node.name}>'
    out = start(node, rows) + '>'
    line = '\n' + '  ' * level
    for n, behind in zip(inner, inner[1:] + [None]):
        if n.kind == 'cdata' or n.kind == 'text' and behind is not None and behind.kind == 'cdata': out += written(n)
        else: out += line + '  ' + (escaped(n.value.lstrip('\n')) if n.kind == 'text' else java(n, keeps, sorts, level + 1))
    return out + (line if inner[-1].kind != 'cdata' else '') + f'</{node.name}>'
def pretty(node, level=0):
    """A line for each child of an element without text."""
    inner = [n for n in node.inner if n.kind != 'text' or n.value.strip(space)]
    pad = '  ' * level
    if node.kind != 'element' or any(n.kind in ('text', 'cdata') for n in inner) or any(r[1:] == ('xml:space', 'preserve') for r in node.attributes): return pad + written(node) + '\n'
    if not inner: return pad + start(node) + '/>\n'
    return pad + start(node) + '>\n' + ''.join(pretty(n, level + 1) for n in inner) + pad + f'</{node.name}>\n'
def items(node):
    out = []
    for n in node.inner:
        if n.kind in ('text', 'cdata') and out and out[-1][0] == 'text': out[-1][1] += n.value
        elif n.kind in ('text', 'cdata'): out.append(['text', n.value])
        elif n.kind != 'comment': out.append([n.kind, n])
    out = [[k, v.strip(space)] if k == 'text' else [k, v] for k, v in out]
    return [(k, v) for k, v in out if k != 'text' or v]
def normal(node, sorts):
    found = items(node)
    if sorts and all(k == 'element' for k, _ in found): found = sorted(found, key=lambda i: i[1].name)
    out = ''
    for kind, value in found:
        if kind == 'text': out += escaped(value)
        elif kind == 'instruction': out += f'<?{value.name} {value.value.strip(space)}?>'
        else:
            inner = normal(value, sorts)
            out += start(value, sorted(value.attributes, key=lambda r: r[1]) if sorts else None) + ('>' + inner + f'</{value.name}>' if items(value) else '/>')
    return out
def path(node):
    if node.kind == 'document': return ''
    name = {'text': 'text()', 'cdata': 'text()', 'comment': 'comment()', 'instruction': 'processing-instruction()'}.get(node.kind, node.name)
    if node.kind == 'element':
        like = [n for n in node.parent.inner if n.kind == 'element' and n.name == name]
        if len(like) > 1: name += f'[{[n is node for n in like].index(True) + 1}]'
    return path(node.parent) + '/' + name
def rows(node, out):
    for number, n in enumerate(node.inner):
        goes = n.kind in ('text', 'cdata') and number > 0 and node.inner[number - 1].kind in ('text', 'cdata')
        prefix, local = n.names()
        space_ = n.namespace(n.name) if n.kind == 'element' else None
        out.append([n.kind, path(n), str(local), str(prefix), str(space_), n.value, str(goes).lower()])
        for kind, name, value in n.attributes:
            out.append([kind, path(n) + '/@' + name, value, str(n.namespace(name, True)) if kind == 'attribute' else ''])
        rows(n, out)
    return out
for _ in range(int(sys.argv[2])):
    data, plain = document()
    root = parsed(plain)
    parts = [written(root), ''.join(pretty(n) for n in root.inner), java(root, False, False, 0) + '\n', java(root, True, True, 0) + '\n', java(root, False, True, None), normal(root, False), normal(root, True), '\x04'.join('\x03'.join(r) for r in rows(root, []))]
    print(data.hex(), *[p.encode().hex() for p in parts])
