import { readZip } from '../src/engines/ooxml/zip.ts'
import { writeZip } from '../src/engines/ooxml/zip-writer.ts'

/** The demo's template with a unique word, so that no two files are the same. */
export function templateOf(bytes: Uint8Array, number: number): Uint8Array {
  return withDocument(bytes, (document) => document.replace('</w:t>', ` (${number})</w:t>`))
}

/** The demo's template with another main part. */
export function withDocument(bytes: Uint8Array, edit: (document: string) => string): Uint8Array {
  const zip = readZip(bytes)
  if (!zip.ok) throw new Error('the demo has no template')
  const { names, read } = zip.value
  return writeZip(
    names.map((name) => {
      const data = read.call(zip.value, name)
      if (!data.ok) throw new Error(`${name} can't be read`)
      if (name !== 'word/document.xml') return { name, data: data.value }
      return { name, data: new TextEncoder().encode(edit(new TextDecoder().decode(data.value))) }
    }),
  )
}
