import { expect, test } from 'bun:test'
import { SaxesParser } from 'saxes'
import { limits } from '../../../src/core/limits.ts'
import { childElements, childNamed, emptied, textOf, type XmlElement } from '../../../src/engines/ooxml/xml.ts'
import { parseXml, parseXmlDocument, visitXml } from '../../../src/engines/ooxml/xml-parser.ts'
import { escapeAttribute, escapeText, hasIllegalCharacter, serializeXml } from '../../../src/engines/ooxml/xml-write.ts'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

function parsed(source: string | Uint8Array): XmlElement {
  const outcome = parseXml(source)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

function codeOf(source: string | Uint8Array): string | undefined {
  const outcome = parseXml(source)
  return outcome.ok ? undefined : outcome.findings[0]!.code
}

test('children of a container are passed on complete and in order, and none is kept', () => {
  const source =
    '<d><other><p>o</p></other><body><p>a<q/></p> <p/><body><p>c</p></body></body><body><p>z</p></body></d>'
  const texts: string[] = []
  const visited = visitXml(source, '', 'body', (child) => {
    texts.push(`${child.name} ${textOf(child)} ${source.slice(child.start, child.end)}`)
  })
  expect(texts).toEqual(['p a <p>a<q/></p>', 'p  <p/>', 'body c <body><p>c</p></body>'])
  if (!visited.ok) throw new Error(JSON.stringify(visited.findings))
  expect(serializeXml(visited.value.root)).toBe('<d><other><p>o</p></other><body/><body><p>z</p></body></d>')
  const broken = visitXml('<d><body><p/><p></body></d>', 'word/document.xml', 'body', () => {})
  expect(broken.findings[0]?.code).toBe('xml.malformed')
})

test('a part that is streamed can have more elements than a tree, but not endlessly many', () => {
  const count = (elements: number) => {
    let seen = 0
    const outcome = visitXml(`<d><b>${'<p/>'.repeat(elements)}</b></d>`, '', 'b', () => seen++)
    return { seen, code: outcome.findings[0]?.code }
  }
  expect(count(limits.xmlNodes + 1)).toEqual({ seen: limits.xmlNodes + 1, code: undefined })
  const over = count(limits.xmlStreamedNodes + 1)
  expect(over.code).toBe('xml.size')
  expect(over.seen).toBeLessThanOrEqual(limits.xmlStreamedNodes)
}, 60_000)

/** What a body's children are, with everything in them but offsets, and the source that each one's offsets name. */
function childrenOf(source: string, alike?: ReadonlySet<string>) {
  const children: { syntax: string; own: string[] }[] = []
  const outcome = visitXml(
    source,
    '',
    'b',
    (child) => {
      const own: string[] = []
      const walk = (element: XmlElement) => {
        if (element.name === 'w:pr')
          own.push(source.slice(element.start, element.end), source.slice(element.openEnd, element.closeStart))
        else for (const inner of childElements(element)) walk(inner)
      }
      walk(child)
      children.push({ syntax: serializeXml(child), own })
    },
    alike,
  )
  return { children, code: outcome.findings[0]?.code }
}

test('elements that may share what is in them say the same as elements that share nothing, at their own places', () => {
  const pr = (inside: string, attributes = '') => `<w:pr${attributes}>${inside}</w:pr>`
  const other = 'xmlns:w="urn:other"'
  const bodies = [
    ...[pr('<w:b/>'), pr('<w:b/>'), pr('<w:b w:v="1"/>'), pr('<w:b/>', ' w:n="2"'), pr(''), pr(''), '<w:pr/>'],
    ...[pr(`<w:c><w:d>x &amp; y</w:d></w:c>`), `<w:q ${other}>${pr('<w:b/>')}</w:q>`, pr('<w:b/>')],
    ...[pr(`<w:c><w:d>x &amp; y</w:d></w:c>`), pr(`<w:b ${other}/>`), pr('<w:b/><!-- </w:pr> -->'), pr('<w:b/>')],
    ...Array.from({ length: 20 }, (_, index) => pr(`<w:i w:v="${index % 10}"/>`)),
    ...[pr(pr('<w:b/>')), pr(pr('<w:b/>')), pr('<w:b/>'), pr('x'.repeat(2_000)), pr('x'.repeat(2_000))],
  ]
  const source = `<d xmlns:w="${word}"><b>${bodies.map((body) => `<w:p>${body}</w:p>`).join('')}</b></d>`
  const shared = childrenOf(source, new Set(['w:pr']))
  expect(shared).toEqual(childrenOf(source))
  expect(shared.children).toHaveLength(bodies.length)
  expect(childrenOf(source.replace('</w:p></b>', '<w:pr><w:b/></w:p></b>'), new Set(['w:pr'])).code).toBe(
    'xml.malformed',
  )
})

test('an element that shares what is in it counts with all of that, and is as deep', () => {
  const alike = new Set(['w:pr'])
  const at = (depth: number, inside: string) => `${'<w:e>'.repeat(depth)}${inside}${'</w:e>'.repeat(depth)}`
  const codeAt = (depth: number) => {
    const pr = '<w:pr><w:a><w:b/></w:a></w:pr>'
    // Around them are the root and the container.
    const source = `<d xmlns:w="${word}"><b>${at(1, pr)}${at(depth, pr)}</b></d>`
    expect(childrenOf(source).code).toBe(childrenOf(source, alike).code)
    return childrenOf(source, alike).code
  }
  expect(codeAt(limits.xmlDepth - 4)).toBeUndefined()
  expect(codeAt(limits.xmlDepth - 3)).toBe('xml.depth')
  const many = Math.ceil(limits.xmlNodes / 4)
  const wide = `<d xmlns:w="${word}"><b><w:e>${'<w:pr><w:a/><w:b/>c</w:pr>'.repeat(many)}</w:e></b></d>`
  expect([childrenOf(wide).code, childrenOf(wide, alike).code]).toEqual(['xml.size', 'xml.size'])
  const fewer = wide.replace(`${'<w:pr><w:a/><w:b/>c</w:pr>'.repeat(2)}`, '')
  expect([childrenOf(fewer).code, childrenOf(fewer, alike).code]).toEqual([undefined, undefined])
}, 60_000)

test('names are the usual ones, whatever prefix and vocabulary the file has', () => {
  const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main'
  for (const [prefix, uri] of [
    ['w', word],
    ['x', word],
    ['w', strict],
  ] as const) {
    const root = parsed(
      `<${prefix}:p xmlns:${prefix}="${uri}" ${prefix}:rsidR="1" plain="2"><${prefix}:r/></${prefix}:p>`,
    )
    expect(root.name).toBe('w:p')
    expect(root.uri).toBe(uri)
    expect(root.attributes['w:rsidR']).toBe('1')
    expect(root.attributes.plain).toBe('2')
    expect(childNamed(root, 'w:r')?.written).toBe(`${prefix}:r`)
  }
  expect(parsed(`<p xmlns="${word}"/>`).name).toBe('w:p')
})

test('a foreign namespace under an Office prefix is not taken for Office', () => {
  expect(parsed('<w:p xmlns:w="urn:other"/>').name).toBe('{urn:other}p')
})

test('what an alternative requires is named by the usual prefixes, and a foreign one under an Office prefix is not', () => {
  const requires = (attributes: string) =>
    childNamed(
      parsed(
        `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:q="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><mc:Choice ${attributes}/></mc:AlternateContent>`,
      ),
      'mc:Choice',
    )?.attributes.Requires
  expect(requires('Requires="q"')).toBe('wps')
  expect(requires('Requires="s q" xmlns:s="http://schemas.microsoft.com/office/word/2010/wordml"')).toBe('w14 wps')
  expect(requires('Requires="wps" xmlns:wps="urn:other"')).toBe('{urn:other}')
  expect([requires('Requires="none"'), requires('')]).toEqual(['none', undefined])
})

test('equal start tags mean what the prefixes around them say, in any order', () => {
  const tags = '<w:a/><w:b x="1">t</w:b><w:b x="2"/>'
  const around = `${tags}${tags}<w:b x="1"/>`
  const root = parsed(`<r xmlns:w="${word}">${around}<q xmlns:w="urn:other">${around}</q>${around}</r>`)
  const readOf = (element: XmlElement) =>
    childElements(element).map(({ name, uri, attributes, end }) => [name, uri, attributes.x, end > 0])
  const expected = (prefix: string, uri: string) => {
    const [a, b] = [`${prefix}a`, `${prefix}b`]
    const once = [
      [a, uri, undefined, true],
      [b, uri, '1', true],
      [b, uri, '2', true],
    ]
    return [...once, ...once, [b, uri, '1', true]]
  }
  const inner = childNamed(root, 'q')!
  expect(readOf(inner)).toEqual(expected('{urn:other}', 'urn:other'))
  root.children = root.children.filter((child) => child !== inner)
  expect(readOf(root)).toEqual([...expected('w:', word), ...expected('w:', word)])
})

test('offsets lead back to the source', () => {
  const source = `<?xml version="1.0"?><!-- c --><w:p xmlns:w="${word}"><w:t>a &amp; b</w:t><w:br/></w:p>`
  const root = parsed(source)
  const t = childNamed(root, 'w:t')!
  expect(source.slice(t.start, t.end)).toBe('<w:t>a &amp; b</w:t>')
  expect(source.slice(t.openEnd, t.closeStart)).toBe('a &amp; b')
  expect(textOf(t)).toBe('a & b')
  const br = childNamed(root, 'w:br')!
  expect(source.slice(br.start, br.openEnd)).toBe('<w:br/>')
  expect(br.closeStart).toBe(br.end)
})

test('a round trip keeps unknown namespaces, mc:Ignorable and xml:space', () => {
  const source = `<x:p xmlns:x="${word}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:q="urn:q" mc:Ignorable="q" q:a="1 &lt; &quot;2&quot;"><x:t xml:space="preserve"> a &amp; b </x:t><q:odd><deep xmlns="urn:d"/></q:odd></x:p>`
  expect(serializeXml(parsed(source))).toBe(source)
})

test('xml:space holds for all elements inside, until one of them says otherwise', () => {
  const source =
    `<w:p xmlns:w="${word}" xml:space="preserve"><w:r><w:t>a</w:t><w:t xml:space="default">b</w:t><w:t>c</w:t></w:r>` +
    '<w:r xml:space="default"><w:t>d</w:t><w:t xml:space="preserve">e</w:t><w:t>f</w:t></w:r><w:r><w:t>g</w:t></w:r></w:p>'
  const found: string[] = []
  const walk = (element: XmlElement) => {
    if (element.name === 'w:t') found.push(`${textOf(element)} ${element.space}`)
    for (const child of childElements(element)) walk(child)
  }
  walk(parsed(source))
  const kept = ['a preserve', 'b default', 'c preserve', 'd default', 'e preserve', 'f default', 'g preserve']
  expect(found).toEqual(kept)
  expect(parsed(`<w:p xmlns:w="${word}"><w:t>a</w:t></w:p>`).space).toBeUndefined()
})

test('text is decoded: references, CDATA, line ends, UTF-16', () => {
  expect(textOf(parsed('<a>&#65;&#x1F600;<![CDATA[<&>]]>\r\nx\ry</a>'))).toBe('A😀<&>\nx\ny')
  expect(parsed('<a b="x\ny&#10;z"/>').attributes.b).toBe('x y\nz')
  const utf16 = new Uint8Array(Buffer.from('\ufeff<a>ü</a>', 'utf16le'))
  expect(textOf(parsed(utf16))).toBe('ü')
})

test('input that is malformed, or could hold a trap, is refused with its place', () => {
  const cases: [string, string][] = [
    ['<!DOCTYPE a [<!ENTITY x "y">]><a/>', 'xml.doctype'],
    ['<?xml version="1.0"?>\n<!DOCTYPE a><a/>', 'xml.doctype'],
    ['<a>&x;</a>', 'xml.malformed'],
    ['<a>&#0;</a>', 'xml.malformed'],
    ['<a>&#xD800;</a>', 'xml.malformed'],
    ['<a>\u0001</a>', 'xml.character'],
    ['<a><b></a></b>', 'xml.malformed'],
    ['<a', 'xml.malformed'],
    ['<a b="1" b="2"/>', 'xml.malformed'],
    ['<a b=1/>', 'xml.malformed'],
    ['<a b="<"/>', 'xml.malformed'],
    ['<x:a/>', 'xml.malformed'],
    ['<a/><b/>', 'xml.malformed'],
    ['<1a/>', 'xml.malformed'],
    ['<a><!DOCTYPE b></a>', 'xml.malformed'],
    ['', 'xml.malformed'],
    ['text', 'xml.malformed'],
    ['<a><!-- ', 'xml.malformed'],
    ['<a><b', 'xml.malformed'],
    ['<a ', 'xml.malformed'],
  ]
  for (const [source, code] of cases) expect([source, codeOf(source)]).toEqual([source, code])
  expect(codeOf(Uint8Array.of(0x3c, 0x61, 0xff, 0x3e))).toBe('xml.encoding')
  const outcome = parseXml('<a>\n  <b></c></a>', 'word/document.xml')
  expect(outcome.ok ? undefined : outcome.findings[0]).toMatchObject({ line: 2, column: 6 })
})

test('depth is limited', () => {
  const depth = limits.xmlDepth + 1
  expect(codeOf('<a>'.repeat(depth) + '</a>'.repeat(depth))).toBe('xml.depth')
  expect(codeOf('<a>'.repeat(depth - 1) + '</a>'.repeat(depth - 1))).toBeUndefined()
})

test('the tree agrees with saxes, event by event', () => {
  const source = `<?xml version="1.0"?><w:p xmlns:w="${word}" a='1'><w:r w:x="&lt;"><!-- c -->t &gt; u<w:t/></w:r><?pi x?>tail</w:p>`
  const theirs: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', (tag) =>
    theirs.push(`+${tag.name} ${Object.values(tag.attributes).map(({ name, value }) => `${name}=${value}`)}`),
  )
  parser.on('closetag', (tag) => theirs.push(`-${tag.name}`))
  parser.on('text', (value) => theirs.push(value))
  parser.write(source).close()
  const ours: string[] = []
  const walk = (element: XmlElement) => {
    ours.push(`+${element.written} ${Object.entries(element.attributes).map(([name, value]) => `${name}=${value}`)}`)
    for (const child of element.children) {
      if (child.kind === 'text') ours.push(child.text)
      else walk(child)
    }
    ours.push(`-${element.written}`)
  }
  const document = parseXmlDocument(source)
  if (!document.ok) throw new Error('not parsed')
  walk(document.value.root)
  expect(ours).toEqual(theirs)
})

test('no cut and no changed character ever makes the parser throw', () => {
  const source = `<w:p xmlns:w="${word}" a="1"><w:t xml:space="preserve">x &amp; y</w:t><![CDATA[z]]></w:p>`
  for (let at = 0; at < source.length; at++) {
    expect(() => parseXml(source.slice(0, at))).not.toThrow()
    for (const character of ['<', '>', '&', '"', '\u0000']) {
      expect(() => parseXml(source.slice(0, at) + character + source.slice(at + 1))).not.toThrow()
    }
  }
})

test('text and attribute values are escaped as far as needed, and read back unchanged', () => {
  expect(escapeText('a<b>&"\'\r\n\t')).toBe('a&lt;b&gt;&amp;"\'&#13;\n\t')
  expect(escapeAttribute('a<b>&"\'\r\n\t')).toBe("a&lt;b&gt;&amp;&quot;'&#13;&#10;&#9;")
  expect(escapeText('plain')).toBe('plain')
  for (const text of ['<', '>', '&', '"', '\r', '\n', '\t', 'ü', '😀']) {
    expect(textOf(parsed(`<a>${escapeText(text)}</a>`))).toBe(text)
    expect(parsed(`<a b="${escapeAttribute(text)}"/>`).attributes.b).toBe(text)
  }
})

test('characters that XML cannot carry are recognised, at both ends of their ranges', () => {
  for (const bad of [
    '\u0000',
    '\u0008',
    '\u000b',
    '\u000c',
    '\u000e',
    '\u001f',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udfff',
  ]) {
    expect([bad, hasIllegalCharacter(`a${bad}b`)]).toEqual([bad, true])
  }
  for (const good of ['\t', '\n', '\r', ' ', '\ufffd', '😀'])
    expect([good, hasIllegalCharacter(good)]).toEqual([good, false])
})

test('each reference is one character, and only characters that XML allows are accepted', () => {
  const text = (reference: string) => {
    const outcome = parseXml(`<a>${reference}</a>`)
    return outcome.ok ? textOf(outcome.value) : outcome.findings[0]?.code
  }
  expect(text('&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#x1F600;&#10;')).toBe('<>&"\'AB😀\n')
  for (const bad of [
    '&nbsp;',
    '&',
    '&;',
    '&#;',
    '&#x;',
    '&#0;',
    '&#xD800;',
    '&#xDFFF;',
    '&#x110000;',
    '&#xFFFE;',
    '&constructor;',
    '&lt',
    '&#12345678;',
    '&#xG;',
  ]) {
    expect([bad, text(bad)]).toEqual([bad, 'xml.malformed'])
  }
  expect(text('&#x10FFFF;')).toBe('\u{10FFFF}')
  expect(text('&#xD7FF;&#xE000;')).toBe('\uD7FF\uE000')
})

test('line ends are one character, and blanks in attributes are spaces', () => {
  const root = parsed('<a b="1\r\n2\t3\n4">x\r\ny\rz</a>')
  expect(root.attributes.b).toBe('1 2 3 4')
  expect(textOf(root)).toBe('x\ny\nz')
})

test('every limit accepts its last value and refuses the next', () => {
  const attributes = (count: number) => `<a ${Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')}/>`
  expect(codeOf(attributes(limits.xmlAttributes))).toBeUndefined()
  expect(codeOf(attributes(limits.xmlAttributes + 1))).toBe('xml.size')
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  expect(codeOf(nested(limits.xmlDepth))).toBeUndefined()
  expect(codeOf(nested(limits.xmlDepth + 1))).toBe('xml.depth')
})

test.each([
  ['<a b="1" b="2"/>'],
  ['<a b="1"c="2"/>'],
  ['<a b=1/>'],
  ['<a b/>'],
  ['<a b="1/>'],
  ['<a b="<"/>'],
  ['<a></b>'],
  ['<a></a'],
  ['<a></ab>'],
  ['<a><b></a></b>'],
  ['<a>'],
  ['<a/><b/>'],
  ['<a/>x'],
  ['x<a/>'],
  [''],
  ['<1a/>'],
  ['<a:b/>'],
  ['<a b:c="1"/>'],
  ['<a:b:c xmlns:a="u"/>'],
  ['<a xmlns:b=""/>'],
  ['<a><!DOCTYPE x></a>'],
  ['<a><!-- </a>'],
  ['<a><![CDATA[</a>'],
  ['<?x <a/>'],
  ['<a / >'],
  ['<a ="1"/>'],
])('%s is refused as malformed', (source) => {
  expect(codeOf(source)).toBe('xml.malformed')
})

test('blanks are accepted where XML allows them, around tags and inside them', () => {
  const root = parsed(' <?xml version="1.0"?> <!-- x --> <?y z?>\n<a  b = "1"\n\tc=\'2\' ><d\n/></a > <!-- x --> ')
  expect(root.attributes).toEqual({ b: '1', c: '2' })
  expect(childElements(root)).toHaveLength(1)
})

test('a finding has the line and the column of its place', () => {
  const outcome = parseXml('<a>\n  <b>\n &x;</b></a>', 'word/x.xml')
  expect(outcome.findings).toMatchObject([{ code: 'xml.malformed', line: 3, column: 2, path: 'word/x.xml#11' }])
  expect(parseXml('<a').findings[0]).not.toHaveProperty('path')
})

test('UTF-16 of either order and UTF-8 with its mark are read, and other bytes are refused', () => {
  const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
  expect(textOf(parsed(utf16('\ufeff<a>ü</a>')))).toBe('ü')
  expect(textOf(parsed(utf16('\ufeff<a>ü</a>').map((_, at, all) => all[at ^ 1] ?? 0)))).toBe('ü')
  expect(textOf(parsed(new TextEncoder().encode('\ufeff<a>ü</a>')))).toBe('ü')
  expect(codeOf(new Uint8Array([0x3c, 0x61, 0xff, 0x3e]))).toBe('xml.encoding')
})

test('the source declares UTF-8 from then on, whatever it said before', () => {
  const sourceOf = (text: string) => {
    const outcome = parseXmlDocument(new TextEncoder().encode(text))
    return outcome.ok ? outcome.value.source : ''
  }
  expect(sourceOf('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')).toBe('<?xml version="1.0" encoding="UTF-8"?><a/>')
  expect(sourceOf("<?xml version='1.0' encoding = 'utf-8' ?><a/>")).toBe(
    "<?xml version='1.0' encoding = 'UTF-8' ?><a/>",
  )
  expect(sourceOf('<?xml version="1.0"?><a b=" encoding=\'x\'"/>')).toBe(
    '<?xml version="1.0"?><a b=" encoding=\'x\'"/>',
  )
})

test('an element without content has no children of its own to give away', () => {
  const root = parsed('<a><b c="1"><d/></b><e/></a>')
  const [b, e] = childElements(root)
  if (b === undefined || e === undefined) throw new Error('not read')
  expect(emptied(b)).toMatchObject({
    kind: 'element',
    name: 'b',
    attributes: { c: '1' },
    children: [],
    start: b.start,
    end: b.end,
  })
  expect(childElements(b)).toHaveLength(1)
  expect([e.openEnd, e.closeStart, e.end]).toEqual([e.end, e.end, e.end])
  expect(childElements(root, 'e')).toEqual([e])
  expect(childNamed(root, 'none')).toBeUndefined()
})

test('UTF-16 is known without a byte order mark, and Western encodings by their declaration', () => {
  const textIn = (bytes: Uint8Array) => {
    const parsed = parseXml(bytes)
    return parsed.ok ? textOf(parsed.value) : parsed.findings[0]?.code
  }
  const document = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>“ö” €</a>`
  const wide = Buffer.from(document('UTF-16'), 'utf16le')
  expect(textIn(new Uint8Array(wide))).toBe('“ö” €')
  expect(textIn(new Uint8Array(wide.swap16()))).toBe('“ö” €')
  const western = (encoding: string) =>
    new Uint8Array(
      [...document(encoding)].map(
        (character) => ({ '“': 0x93, '”': 0x94, '€': 0x80 })[character] ?? character.charCodeAt(0),
      ),
    )
  for (const encoding of ['windows-1252', 'ISO-8859-1', 'latin1']) expect(textIn(western(encoding))).toBe('“ö” €')
  expect(textIn(western('UTF-8'))).toBe('xml.encoding')
  expect(textIn(western('KOI8-R'))).toBe('xml.encoding')
  // UTF-8 under a wrong name is still UTF-8, as before.
  expect(textIn(new TextEncoder().encode(document('ISO-8859-1')))).toBe('“ö” €')
})
