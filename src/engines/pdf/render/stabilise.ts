import PDFArray from 'pdf-lib/es/core/objects/PDFArray.js'
import PDFDict from 'pdf-lib/es/core/objects/PDFDict.js'
import PDFHexString from 'pdf-lib/es/core/objects/PDFHexString.js'
import PDFName from 'pdf-lib/es/core/objects/PDFName.js'
import PDFNumber from 'pdf-lib/es/core/objects/PDFNumber.js'
import type PDFObject from 'pdf-lib/es/core/objects/PDFObject.js'
import PDFRawStream from 'pdf-lib/es/core/objects/PDFRawStream.js'
import PDFRef from 'pdf-lib/es/core/objects/PDFRef.js'
import PDFStream from 'pdf-lib/es/core/objects/PDFStream.js'
import PDFContext from 'pdf-lib/es/core/PDFContext.js'
import PDFParser from 'pdf-lib/es/core/parser/PDFParser.js'
import { decodePDFRawStream } from 'pdf-lib/es/core/streams/decode.js'
import PDFStreamWriter from 'pdf-lib/es/core/writers/PDFStreamWriter.js'

/** Where an ICC profile keeps when it was made, ICC.1:2022 section 7.2: six 16-bit numbers. */
const PROFILE_DATE = { start: 24, end: 36 } as const
const OBJECTS_PER_TICK = 500

/**
 * Removes from a PDF everything that differs between two renderings, so that the same document gives the same bytes:
 * the dates of its information dictionary and of its XMP metadata, the date in the profile of its output intent, the
 * order of its objects, and its identifier, which is derived from its input.
 *
 * @param inputHash SHA-256 of its input, in hexadecimal
 * @returns undefined if the file is no PDF that can be read
 */
export async function stabilisePdf(
  pdf: Uint8Array,
  inputHash: string,
): Promise<{ pdf: Uint8Array; pages: number } | undefined> {
  let context: PDFContext
  try {
    context = await PDFParser.forBytesWithOptions(pdf, OBJECTS_PER_TICK).parseDocument()
  } catch {
    return undefined
  }
  const catalog = context.lookup(context.trailerInfo.Root)
  if (!(catalog instanceof PDFDict)) return undefined
  const tree = catalog.lookup(PDFName.of('Pages'))
  const count = tree instanceof PDFDict ? tree.lookup(PDFName.of('Count')) : undefined
  if (!(count instanceof PDFNumber)) return undefined
  const pages = count.asNumber()
  removeDates(context, catalog)
  const renumbered = inOrderOfUse(context)
  const identifier = PDFHexString.of(inputHash.slice(0, 32).toUpperCase())
  renumbered.trailerInfo.ID = renumbered.obj([identifier, identifier])
  const bytes = await PDFStreamWriter.forContext(renumbered, OBJECTS_PER_TICK).serializeToBuffer()
  return { pdf: bytes, pages }
}

function removeDates(context: PDFContext, catalog: PDFDict): void {
  const info = context.lookup(context.trailerInfo.Info)
  if (info instanceof PDFDict) for (const key of ['CreationDate', 'ModDate']) info.delete(PDFName.of(key))

  const metadataRef = catalog.get(PDFName.of('Metadata'))
  const metadata = context.lookup(metadataRef)
  if (metadataRef instanceof PDFRef && metadata instanceof PDFRawStream) {
    const xmp = new TextDecoder().decode(decodePDFRawStream(metadata).decode())
    const dateless = xmp.replaceAll(/\s*<xmp:(CreateDate|ModifyDate|MetadataDate)>[^<]*<\/xmp:\1>/g, '')
    // PDF/A wants metadata that can be read without a decoder.
    context.assign(metadataRef, context.stream(dateless, { Type: 'Metadata', Subtype: 'XML' }))
  }

  const intents = catalog.lookup(PDFName.of('OutputIntents'))
  for (const intent of intents instanceof PDFArray ? intents.asArray() : []) {
    const dictionary = context.lookup(intent)
    const profileRef = dictionary instanceof PDFDict ? dictionary.get(PDFName.of('DestOutputProfile')) : undefined
    const profile = context.lookup(profileRef)
    if (!(profileRef instanceof PDFRef) || !(profile instanceof PDFRawStream)) continue
    const bytes = decodePDFRawStream(profile).decode()
    bytes.fill(0, PROFILE_DATE.start, PROFILE_DATE.end)
    const components = profile.dict.get(PDFName.of('N'))
    context.assign(profileRef, context.flateStream(bytes, components === undefined ? {} : { N: components }))
  }
}

/**
 * The objects that the trailer leads to, numbered in the order in which they are first named. Takes over the objects:
 * don't use their old context afterwards.
 */
function inOrderOfUse(from: PDFContext): PDFContext {
  const to = PDFContext.create()
  const numbers = new Map<PDFRef, PDFRef>()
  const pending: { ref: PDFRef; becomes: PDFRef }[] = []
  const moved = (object: PDFObject): PDFObject => {
    if (!(object instanceof PDFRef)) {
      moveRefs(object)
      return object
    }
    let becomes = numbers.get(object)
    if (becomes === undefined) {
      becomes = to.nextRef()
      numbers.set(object, becomes)
      pending.push({ ref: object, becomes })
    }
    return becomes
  }
  function moveRefs(object: PDFObject): void {
    if (object instanceof PDFStream) moveRefs(object.dict)
    else if (object instanceof PDFDict) for (const [key, value] of object.entries()) object.set(key, moved(value))
    else if (object instanceof PDFArray)
      for (const [index, value] of object.asArray().entries()) object.set(index, moved(value))
  }
  for (const name of ['Root', 'Info'] as const) {
    const object = from.trailerInfo[name]
    if (object !== undefined) to.trailerInfo[name] = moved(object)
  }
  // What an object refers to is appended while it is moved.
  for (const { ref, becomes } of pending) {
    const object = from.lookup(ref)
    if (object === undefined) continue
    moveRefs(object)
    to.assign(becomes, object)
  }
  return to
}
