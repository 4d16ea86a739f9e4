/**
 * The engines measure texts in bytes with `Buffer.byteLength`, which browsers lack. This is that one function and
 * nothing else of Buffer; to be imported before an engine that wants it.
 */
const encoder = new TextEncoder()

if (!('Buffer' in globalThis)) {
  Object.assign(globalThis, { Buffer: { byteLength: (text: string) => encoder.encode(text).length } })
}
