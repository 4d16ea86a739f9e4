import { Fault } from '../core/faults.ts'
import { describeFinding, type Finding } from '../core/finding.ts'
import { contentHashInParts } from '../core/hash.ts'
import { type JsonValue, readJsonInParts } from '../core/json.ts'
import { limits } from '../core/limits.ts'
import { inTurns, othersTurn } from '../core/turns.ts'
import type { BodyPlace } from './admission.ts'
import type { BodyForm, MultipartBody, SingleBody } from './operation.ts'
import { checkShape, ownFields } from './shape.ts'

/** A body as the handler gets it, what is wrong with it, and the JSON value that represents it in a request hash. */
export interface ReadBody {
  value: unknown
  findings: Finding[]
  identity: JsonValue
}

/**
 * The form of body that the request's Content-Type asks for.
 * @throws Fault unsupported_media_type when the operation takes no such body
 */
export function selectBody(form: BodyForm, contentType: string | null): SingleBody {
  const forms = form.kind === 'choice' ? form.of : [form]
  const mediaType = mediaTypeOf(contentType)
  const selected = forms.find((candidate) => mediaTypeFor(candidate) === mediaType)
  if (selected !== undefined && isUtf8(contentType)) return selected
  const accepted = [...new Set(forms.map(mediaTypeFor))].join(' or ')
  throw new Fault('unsupported_media_type', `Content-Type must be ${accepted}. Send that header with the request.`)
}

function mediaTypeFor(form: SingleBody): string {
  if (form.kind === 'multipart') return 'multipart/form-data'
  return form.kind === 'bytes' ? form.mediaType : 'application/json'
}

export function mediaTypeOf(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase()
}

function isUtf8(contentType: string | null): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType ?? '') ?? []
  return charset === undefined || /^utf-?8$/i.test(charset)
}

/**
 * Reads and checks the body.
 * @param place holds what is read; nothing is counted if it is left out
 * @throws Fault validation_failed for a body over its limit, before the rest of it is read; dependency_unavailable without room for it
 */
export async function readBody(form: SingleBody, request: Request, place?: BodyPlace): Promise<ReadBody> {
  const bytes = await readBytes(request, form.kind === 'empty' ? 0 : form.maxBytes, place)
  switch (form.kind) {
    case 'empty':
      return { value: undefined, findings: [], identity: null }
    case 'bytes': {
      const findings =
        bytes.length > 0 ? [] : [finding('body.empty', 'The body is empty.', `Send the ${form.mediaType} bytes.`)]
      return { value: bytes, findings, identity: await inTurns(contentHashInParts(bytes)) }
    }
    case 'json': {
      const read = await inTurns(readJsonInParts(bytes))
      if (!read.ok) return { value: undefined, findings: read.findings, identity: null }
      return { value: read.value, findings: checkShape(form.schema, read.value, 'body'), identity: read.value }
    }
    case 'multipart':
      return readMultipart(form, bytes, request.headers.get('content-type') ?? '')
  }
}

/** Tuned, in bytes: setting up a stream takes several times as long as receiving a body of this size. */
const wholeBytes = 65_536

/**
 * Bun ends a body at its declared length. One without a length is counted while it is read, so that it can't outgrow the limit in memory.
 */
async function readBytes(request: Request, maxBytes: number, place?: BodyPlace): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes)
  const isDeclared = declared !== null && /^\d+$/.test(declared) && !request.headers.has('transfer-encoding')
  if (isDeclared && Number(declared) <= wholeBytes) {
    place?.hold(Number(declared))
    const bytes = await request.bytes().catch(refuseCut)
    if (bytes.length > maxBytes) throw tooLarge(maxBytes)
    return bytes
  }
  if (request.body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(refuseCut)
    if (done) break
    length += value.length
    try {
      if (length > maxBytes) throw tooLarge(maxBytes)
      place?.hold(value.length)
    } catch (refusal) {
      // Not awaited: the refusal must not depend on when the client stops sending.
      void reader.cancel().catch(() => undefined)
      throw refusal
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Reading fails for one reason only: the client, or a proxy, closed the connection. Nobody reads this answer. */
function refuseCut(cause: unknown): never {
  throw new Fault('validation_failed', 'The connection was closed before all of the body had come. Send it again.', {
    cause,
  })
}

function tooLarge(maxBytes: number): Fault {
  const rule = maxBytes === 0 ? 'must be empty' : `must be at most ${maxBytes} bytes`
  const remedy = maxBytes === 0 ? 'Send no body.' : 'Send a smaller one.'
  return new Fault('validation_failed', `The body ${rule}. ${remedy}`, {
    findings: [finding('body.size', `The body ${rule}.`, remedy)],
  })
}

async function readMultipart(form: MultipartBody, bytes: Uint8Array<ArrayBuffer>, contentType: string) {
  const boundary = boundaryOf(contentType)
  if (boundary === '')
    return refusedForm('body.multipart', 'The body is not valid multipart/form-data.', 'Check its boundary.')
  if (countParts(bytes, boundary) > limits.multipartParts) {
    return refusedForm('body.parts', `The body has more than ${limits.multipartParts} parts.`, 'Send fewer.')
  }
  const cut = cutFile(bytes, boundary)
  if (hasLongHeaders(cut?.rest ?? [bytes], boundary)) {
    const message = `A body part has more than ${limits.multipartHeaderBytes} bytes of headers.`
    return refusedForm('body.multipart', message, 'Shorten them, as by giving the file a shorter name.')
  }
  if (bytes.length - (cut?.content.length ?? 0) > limits.multipartTextBytes) {
    const message = `All parts of the body but file have more than ${limits.multipartTextBytes} bytes together.`
    return refusedForm('body.size', message, 'Name the file part file, and send shorter texts.')
  }
  // The boundary that was counted is the one that is parsed.
  const parts = await new Response(cut === undefined ? bytes : new Blob(cut.rest), {
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
  })
    .formData()
    .catch(() => undefined)
  if (parts === undefined) {
    return refusedForm('body.multipart', 'The body is not valid multipart/form-data.', 'Check its boundary.')
  }
  const findings: Finding[] = []
  const fields = ownFields<string>()
  const files: File[] = []
  const seen = new Set<string>()
  for (const [name, part] of parts as unknown as Iterable<[string, string | File]>) {
    const named = `Body part ${name.slice(0, 100)}`
    if (seen.has(name)) findings.push(finding('body.repeated', `${named} is given twice.`, 'Send it once.'))
    seen.add(name)
    if (typeof part === 'string') fields[name] = part
    else if (name === 'file') files.push(part)
    else findings.push(finding('body.unknown', `${named} must not be a file.`, 'Name the file part file.'))
  }
  findings.push(...checkShape(form.fields, fields, 'body'))
  findings.push(...Object.values(fields).flatMap((text) => unusableText(text)))
  const fileTypes = form.fileMediaTypes.join(' or ')
  const file = files[0]
  // The runtime must read the cut part as the file; otherwise a name or bytes of another part would pass as the file's.
  const isTheOneCut = cut?.isWhole === true && file?.size === 0
  if (file !== undefined && !isTheOneCut) {
    const rule = 'Body part file does not begin and end where the boundary says.'
    const remedy =
      'End its headers and the file by CR and LF, and use a boundary with which no line of the file begins.'
    findings.push(finding('body.multipart', rule, remedy))
    return { value: undefined, findings, identity: null }
  }
  if (file === undefined || cut === undefined) {
    findings.push(finding('body.required', 'Body part file is missing.', `Add it as ${fileTypes}.`))
    return { value: undefined, findings, identity: null }
  }
  const { mediaType, content } = cut
  if (!form.fileMediaTypes.includes(mediaType)) {
    findings.push(finding('body.file_type', `Body part file must be of type ${fileTypes}.`, 'Set its type.'))
  }
  // Looking for the end of a large part took a while, and so does hashing.
  if (bytes.length > largeBytes) await othersTurn()
  const hash = await inTurns(contentHashInParts(content))
  const value = { fields, file: { fileName: file.name, mediaType, bytes: content } }
  // If only one type is possible, the type says nothing; keys that were used before stay the same.
  const kind = form.fileMediaTypes.length === 1 ? {} : { type: mediaType }
  return { value, findings, identity: { fields, file: hash, ...kind } }
}

/** Tuned: splitting a larger body takes more than a millisecond. */
const largeBytes = 1_048_576

function refusedForm(code: string, message: string, hint: string): ReadBody {
  return { value: undefined, findings: [finding(code, message, hint)], identity: null }
}

/** Empty if there is none that RFC 2046 knows (5.1.1). */
function boundaryOf(contentType: string): string {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? token ?? ''
  return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : ''
}

/** Counts no further than one beyond the bound: each part takes time to parse and check on the thread that serves everybody. */
function countParts(bytes: Uint8Array, boundary: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = `--${boundary}`
  let parts = 0
  let at = buffer.indexOf(delimiter)
  // The last one ends the body.
  for (; at >= 0 && parts <= limits.multipartParts + 1; parts++) at = buffer.indexOf(delimiter, at + delimiter.length)
  return parts - 1
}

/** Checks the pieces that the runtime will parse. It begins a part at any text that matches the boundary, even within a line. */
function hasLongHeaders(pieces: readonly Uint8Array[], boundary: string): boolean {
  const delimiter = `--${boundary}`
  return pieces.some((bytes) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = buffer.indexOf(delimiter); at >= 0; at = buffer.indexOf(delimiter, at)) {
      at += delimiter.length
      const headers = buffer.subarray(at, at + limits.multipartHeaderBytes + headersEnd.length)
      const isLast = headers[0] === hyphen && headers[1] === hyphen
      if (!isLast && headers.length > limits.multipartHeaderBytes && !headers.includes(headersEnd)) return true
    }
    return false
  })
}

const headersEnd = '\r\n\r\n'
const hyphen = 0x2d
/** Spaces that may stand behind a boundary (RFC 2046, 5.1.1), with their line end. */
const paddingChars = 128

interface CutFile {
  mediaType: string
  content: Uint8Array<ArrayBuffer>
  /** All other bytes, in two pieces. */
  rest: [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]
  /** Whether a whole boundary line ends the content; a line that only begins like one may belong to the file. */
  isWhole: boolean
}

/**
 * Cuts the content of the part named `file` out of the body without a copy. Only the other bytes go to the runtime's parser, which
 * copies its input several times. The type is the one that the part declares; Bun's own `File.type` is a guess from the file's
 * name.
 */
function cutFile(bytes: Uint8Array<ArrayBuffer>, boundary: string): CutFile | undefined {
  const delimiter = `--${boundary}`
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = buffer.indexOf(delimiter), parts = 0; at >= 0 && parts < limits.multipartParts; parts++) {
    const end = buffer.indexOf(headersEnd, at)
    if (end < 0 || end - at - delimiter.length > limits.multipartHeaderBytes) return undefined
    const headers = buffer.toString('latin1', at + delimiter.length, end)
    if (/^content-disposition:.*;\s*name="?file"?(?:\s*;|\s*$)/im.test(headers)) {
      const from = end + headersEnd.length
      const to = buffer.indexOf(`\r\n${delimiter}`, from)
      if (to < 0) return undefined
      const mediaType = mediaTypeOf(/^content-type:\s*(.*)$/im.exec(headers)?.[1] ?? null) ?? ''
      const content = bytes.subarray(from, to)
      const next = to + 2 + delimiter.length
      const isOfOwnLine = /^(?:--|[ \t]*\r\n)/.test(buffer.toString('latin1', next, next + paddingChars))
      // Without a line end before its boundary, an empty file would take the next part for its content.
      const isNextPart =
        buffer.toString('latin1', from, Math.min(to, from + delimiter.length + 2)) === `${delimiter}\r\n`
      const isWhole = isOfOwnLine && !isNextPart
      return { mediaType, content, rest: [bytes.subarray(0, from), bytes.subarray(to)], isWhole }
    }
    at = buffer.indexOf(delimiter, end)
  }
  return undefined
}

function unusableText(text: string): Finding[] {
  if (!text.includes('\0') && text.isWellFormed()) return []
  return [finding('body.text', 'A body part contains the NUL character or broken UTF-8.', 'Remove it.')]
}

function finding(code: string, message: string, hint: string): Finding {
  return { code, severity: 'error', message, hint }
}

/** The refusal for findings: its detail names the first few, for clients whose variant has no `errors`. */
export function validationFault(
  findings: readonly Finding[],
  extras: { stage?: string; resourceKind?: string; resourceId?: string } = {},
): Fault {
  const shown = findings.slice(0, 5).map((one) => describeForDetail(one))
  const rest = findings.length > 5 ? ` And ${findings.length - 5} more.` : ''
  return new Fault('validation_failed', `${shown.join(' ')}${rest}`, { ...extras, findings })
}

/** Shape findings name their field; other findings get their place in front. */
function describeForDetail(one: Finding): string {
  if (one.code.startsWith('json.')) return `The body is not acceptable JSON at ${describeFinding(one)}`
  if (!/^(body|query|header|path)\./.test(one.code)) return describeFinding(one)
  return one.hint === undefined ? one.message : `${one.message} ${one.hint}`
}
