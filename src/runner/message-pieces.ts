import { limits } from '../core/limits.ts'

/**
 * Sends a message with large files to a process: their bytes go first, in pieces. The runtime would write everything at once and
 * copy it twice, which takes 10 to 40 ms for 25 MB on the thread that answers requests.
 */
export type MessagePiece = { piece: Uint8Array } | { message: unknown; files: readonly SentFile[] }

/** Where in the message a file was, and how many bytes of the pieces belong to it. */
interface SentFile {
  path: readonly (string | number)[]
  bytes: number
}

/** How deep, and in how long lists, files are searched for in a message: payloads have no files, and may be large. */
const reach = { depth: 5, items: 64 }

/** The pieces of a message, in sending order; a single one if it has no large file. */
export function* piecesOf(message: unknown): Generator<MessagePiece, void> {
  const found: { path: readonly (string | number)[]; file: Uint8Array }[] = []
  const rest = withoutFiles(message, [], found)
  for (const { file } of found) {
    for (let at = 0; at < file.length; at += limits.messagePieceBytes) {
      yield { piece: ownBytes(file.subarray(at, at + limits.messagePieceBytes)) }
    }
  }
  yield { message: rest, files: found.map(({ path, file }) => ({ path, bytes: file.length })) }
}

function withoutFiles(
  value: unknown,
  path: readonly (string | number)[],
  found: { path: readonly (string | number)[]; file: Uint8Array }[],
): unknown {
  if (value instanceof Uint8Array) {
    if (value.length <= limits.messagePieceBytes)
      return value.length < value.buffer.byteLength ? ownBytes(value) : value
    found.push({ path, file: value })
    return null
  }
  if (typeof value !== 'object' || value === null || path.length >= reach.depth) return value
  const inner = (key: string | number, member: unknown) => withoutFiles(member, [...path, key], found)
  if (Array.isArray(value)) return value.length > reach.items ? value : value.map((item, at) => inner(at, item))
  if (value instanceof Map) {
    return value.size > reach.items ? value : new Map(Array.from(value, ([key, item]) => [key, inner(key, item)]))
  }
  const members = Object.entries(value)
  if (members.length > reach.items || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(members.map(([key, member]) => [key, inner(key, member)]))
}

/** A copy, because sending a view sends its whole buffer. `Buffer.slice` returns such a view, unlike `Uint8Array.slice`. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

/** Puts messages together again. */
export class MessageJoiner {
  #pieces: Uint8Array[] = []

  /** The message, once its last piece has arrived. */
  take(sent: MessagePiece): { message: unknown } | undefined {
    if ('piece' in sent) {
      this.#pieces.push(sent.piece)
      return undefined
    }
    const pieces = this.#pieces.values()
    this.#pieces = []
    const root = { message: sent.message }
    for (const { path, bytes } of sent.files) put(root, ['message', ...path], joined(pieces, bytes))
    return root
  }
}

function joined(pieces: Iterator<Uint8Array>, bytes: number): Uint8Array {
  const file = new Uint8Array(bytes)
  for (let at = 0; at < bytes; ) {
    const piece: Uint8Array = pieces.next().value
    file.set(piece, at)
    at += piece.length
  }
  return file
}

function put(root: object, path: readonly (string | number)[], file: Uint8Array): void {
  let holder: unknown = root
  for (const key of path.slice(0, -1)) holder = memberOf(holder, key)
  const last = path.at(-1) as string | number
  if (holder instanceof Map) holder.set(last, file)
  else (holder as Record<string | number, unknown>)[last] = file
}

function memberOf(holder: unknown, key: string | number): unknown {
  return holder instanceof Map ? holder.get(key) : (holder as Record<string | number, unknown>)[key]
}
