import { expect, test } from 'bun:test'
import { SaxesParser } from 'saxes'
import { limits } from '../../../src/core/limits.ts'
import {
  childElements,
  childNamed,
  parseXml,
  parseXmlDocument,
  serializeXml,
  textOf,
  visitXml,
  type XmlElement,
} from '../../../src/engines/ooxml/xml.ts'

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

test('children of a container are handed over complete and in order, and none is kept', () => {
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

test('a part that is handed over may have more elements than a tree, but not without end', () => {
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

test('names are the ones everybody uses, whichever prefix and vocabulary the file has', () => {
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

test('a foreign namespace under a prefix of Office does not pass for Office', () => {
  expect(parsed('<w:p xmlns:w="urn:other"/>').name).toBe('{urn:other}p')
})

test('start tags that are written alike mean what the prefixes around them do, in whatever order they come', () => {
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

test('text is decoded: references, CDATA, line ends, UTF-16', () => {
  expect(textOf(parsed('<a>&#65;&#x1F600;<![CDATA[<&>]]>\r\nx\ry</a>'))).toBe('A😀<&>\nx\ny')
  expect(parsed('<a b="x\ny&#10;z"/>').attributes.b).toBe('x y\nz')
  const utf16 = new Uint8Array(Buffer.from('\ufeff<a>ü</a>', 'utf16le'))
  expect(textOf(parsed(utf16))).toBe('ü')
})

test('what is not well-formed, or could hold a trap, is refused with its place', () => {
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

test('depth is bounded', () => {
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

test('no cut and no changed character makes the parser throw', () => {
  const source = `<w:p xmlns:w="${word}" a="1"><w:t xml:space="preserve">x &amp; y</w:t><![CDATA[z]]></w:p>`
  for (let at = 0; at < source.length; at++) {
    expect(() => parseXml(source.slice(0, at))).not.toThrow()
    for (const character of ['<', '>', '&', '"', '\u0000']) {
      expect(() => parseXml(source.slice(0, at) + character + source.slice(at + 1))).not.toThrow()
    }
  }
})
