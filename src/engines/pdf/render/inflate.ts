import { constants, createInflate } from 'node:zlib'

/** zlib's binding under `createInflate` in Node and Bun; it inflates synchronously, into a buffer of ours. */
interface Binding {
  onerror: (message: string) => void
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputBytes: number,
    output: Uint8Array,
    outputAt: number,
    outputBytes: number,
  ): void
  close(): void
}

/** Private members of `createInflate`; the state holds the free output and the unread input after the last write. */
interface WithBinding {
  _handle?: Binding
  _writeState?: Uint32Array
}

/** Bytes that are inflated at once. */
const PIECE_BYTES = 262_144

/**
 * Inflates a zlib stream piece by piece, so that a picture of half a gigabyte takes a quarter of a megabyte. A piece is
 * valid until the next one. `inflateSync` would hold all of it, and the public streams are asynchronous only.
 *
 * @throws Error for data that is damaged or cut off
 */
export function* inflatePieces(compressed: Uint8Array): Generator<Uint8Array> {
  const stream = createInflate()
  // The binding isn't declared; the test of damaged data would notice if it went away.
  const { _handle: binding, _writeState: state } = stream as unknown as WithBinding
  if (binding === undefined || state === undefined) throw new Error('zlib has no binding to inflate with')
  let failure: string | undefined
  binding.onerror = (message) => {
    failure = message
  }
  try {
    const piece = new Uint8Array(PIECE_BYTES)
    let unread = compressed.length
    for (let free = 0; free === 0; ) {
      const at = compressed.length - unread
      binding.writeSync(constants.Z_FINISH, compressed, at, unread, piece, 0, piece.length)
      if (failure !== undefined) throw new Error(failure)
      free = state[0] ?? 0
      unread = state[1] ?? 0
      if (free < piece.length) yield piece.subarray(0, piece.length - free)
    }
  } finally {
    stream.close()
  }
}
