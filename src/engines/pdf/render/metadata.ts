/** A minimal sRGB profile (ICC.1:2001, a matrix/TRC display profile), built from its published primaries. */
export function srgbProfile(): Uint8Array {
  const curve = new Uint8Array(12 + 1024 * 2)
  const curveView = new DataView(curve.buffer)
  writeTag(curve, 0, 'curv')
  curveView.setUint32(8, 1024)
  for (let index = 0; index < 1024; index++) {
    const value = index / 1023
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    curveView.setUint16(12 + index * 2, Math.round(linear * 65_535))
  }
  const blocks: [tags: string[], data: Uint8Array][] = [
    [['desc'], description('sRGB')],
    [['cprt'], textTag('No copyright, use freely')],
    [['wtpt'], xyz(0.9642, 1, 0.8249)],
    [['rXYZ'], xyz(0.4361, 0.2225, 0.0139)],
    [['gXYZ'], xyz(0.3851, 0.7169, 0.0971)],
    [['bXYZ'], xyz(0.1431, 0.0606, 0.7141)],
    [['rTRC', 'gTRC', 'bTRC'], curve],
  ]
  const tagCount = blocks.reduce((count, [tags]) => count + tags.length, 0)
  let size = 128 + 4 + tagCount * 12
  for (const [, data] of blocks) size += (data.length + 3) & ~3
  const profile = new Uint8Array(size)
  const view = new DataView(profile.buffer)
  view.setUint32(0, size)
  view.setUint32(8, 0x02400000)
  for (const [at, text] of [
    [12, 'mntr'],
    [16, 'RGB '],
    [20, 'XYZ '],
    [36, 'acsp'],
  ] as const)
    writeTag(profile, at, text)
  for (const [index, value] of [2000, 1, 1, 0, 0, 0].entries()) view.setUint16(24 + index * 2, value)
  writeFixed(view, 68, 0.9642)
  writeFixed(view, 72, 1)
  writeFixed(view, 76, 0.8249)
  view.setUint32(128, tagCount)
  let entry = 132
  let at = 132 + tagCount * 12
  for (const [tags, data] of blocks) {
    for (const tag of tags) {
      writeTag(profile, entry, tag)
      view.setUint32(entry + 4, at)
      view.setUint32(entry + 8, data.length)
      entry += 12
    }
    profile.set(data, at)
    at += (data.length + 3) & ~3
  }
  return profile
}

function writeTag(bytes: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < 4; index++) bytes[at + index] = text.charCodeAt(index)
}

function writeFixed(view: DataView, at: number, value: number): void {
  view.setInt32(at, Math.round(value * 65_536))
}

function xyz(x: number, y: number, z: number): Uint8Array {
  const data = new Uint8Array(20)
  const view = new DataView(data.buffer)
  writeTag(data, 0, 'XYZ ')
  writeFixed(view, 8, x)
  writeFixed(view, 12, y)
  writeFixed(view, 16, z)
  return data
}

function textTag(text: string): Uint8Array {
  const data = new Uint8Array(8 + text.length + 1)
  writeTag(data, 0, 'text')
  for (let index = 0; index < text.length; index++) data[8 + index] = text.charCodeAt(index)
  return data
}

function description(text: string): Uint8Array {
  const data = new Uint8Array(12 + text.length + 1 + 12 + 67)
  writeTag(data, 0, 'desc')
  new DataView(data.buffer).setUint32(8, text.length + 1)
  for (let index = 0; index < text.length; index++) data[12 + index] = text.charCodeAt(index)
  return data
}

export interface DocumentInfo {
  title: string
  author: string
  subject: string
  language: string
}

export const PRODUCER = 'Quire'

/** PDF/A doesn't define PDF/UA's property, so the packet describes it (ISO 19005-2, 6.6.2.3.3; ISO 14289-1, 5). */
const ACCESSIBLE =
  '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>' +
  '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" ' +
  'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">' +
  '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>' +
  '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>' +
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>' +
  '<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category>' +
  '<pdfaProperty:description>Part of ISO 14289 that the file conforms to</pdfaProperty:description>' +
  '</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>'

/** The standards that a file claims. */
export type Standards = 'PDF/A' | 'PDF/A and PDF/UA'

/**
 * The XMP packet with the PDF/A-2b identification (ISO 19005-2, 6.6.4), and PDF/UA-1's if the file claims that, too. It
 * has no date, so that equal documents give equal bytes.
 */
export function xmpPacket(info: DocumentInfo, standards: Standards): string {
  const author =
    info.author === ''
      ? ''
      : `<dc:creator><rdf:Seq><rdf:li>${escapeMarkup(info.author)}</rdf:li></rdf:Seq></dc:creator>`
  const subject =
    info.subject === ''
      ? ''
      : `<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escapeMarkup(info.subject)}</rdf:li></rdf:Alt></dc:description>`
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ' +
    'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>' +
    `<dc:format>application/pdf</dc:format><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeMarkup(info.title)}</rdf:li></rdf:Alt></dc:title>${author}${subject}` +
    `<pdf:Producer>${PRODUCER}</pdf:Producer></rdf:Description>${standards === 'PDF/A' ? '' : ACCESSIBLE}</rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>`
  )
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities.get(character) ?? character)
}
