import { unzipSync, type Zippable, zipSync } from 'fflate'

/**
 * A DOCX with a fixed date in its properties and entries, and its list of content types first: the same content gives the same
 * bytes, on any day and in any time zone.
 */
export function reproducibleDocx(docx: Uint8Array): Uint8Array {
  const parts = unzipSync(docx)
  const first = '[Content_Types].xml'
  const names = [first, ...Object.keys(parts).filter((name) => name !== first)]
  // Local time, because the zip format stores that: so it is the same everywhere.
  const mtime = new Date(2026, 0, 1)
  const entries: Zippable = {}
  for (const name of names) {
    const bytes = parts[name]
    if (bytes === undefined) throw new Error(`The docx package wrote no ${name}.`)
    entries[name] = [name === 'docProps/core.xml' ? withFixedDates(bytes) : bytes, { mtime, level: 9 }]
  }
  return zipSync(entries)
}

function withFixedDates(coreProperties: Uint8Array): Uint8Array {
  const xml = new TextDecoder().decode(coreProperties)
  return new TextEncoder().encode(
    xml.replaceAll(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, '$12026-01-01T00:00:00Z'),
  )
}
