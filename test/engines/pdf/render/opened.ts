import PDFRawStream from 'pdf-lib/es/core/objects/PDFRawStream.js'
import type PDFContext from 'pdf-lib/es/core/PDFContext.js'
import PDFParser from 'pdf-lib/es/core/parser/PDFParser.js'
import { decodePDFRawStream } from 'pdf-lib/es/core/streams/decode.js'

/** A finished file as another library reads it: the syntax of each object, and its streams decoded. */
export interface Opened {
  objects: ReadonlyMap<number, string>
  streams: ReadonlyMap<number, { dictionary: string; data: Buffer }>
  trailer: PDFContext['trailerInfo']
}

export async function opened(pdf: Uint8Array): Promise<Opened> {
  const context = await PDFParser.forBytesWithOptions(pdf, Number.POSITIVE_INFINITY).parseDocument()
  const objects = new Map<number, string>()
  const streams = new Map<number, { dictionary: string; data: Buffer }>()
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream)
      streams.set(ref.objectNumber, {
        dictionary: flat(`${object.dict}`),
        data: Buffer.from(decodable(object) ? decodePDFRawStream(object).decode() : object.contents),
      })
    else objects.set(ref.objectNumber, flat(`${object}`))
  }
  return { objects, streams, trailer: context.trailerInfo }
}

/** Pictures in the form of a JPEG stay as they are. */
function decodable(stream: PDFRawStream): boolean {
  return !`${stream.dict}`.includes('DCTDecode')
}

function flat(syntax: string): string {
  return syntax.replace(/\s+/g, ' ')
}
