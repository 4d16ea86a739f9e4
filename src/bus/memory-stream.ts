import { Duplex } from 'node:stream'

/**
 * Two ends of a connection inside this process. There is no back-pressure: the relay's window bounds the bytes under
 * way.
 */
export function connectedStreams(): [Duplex, Duplex] {
  const one: Duplex = endOf(() => other)
  const other: Duplex = endOf(() => one)
  return [one, other]
}

function endOf(peer: () => Duplex): Duplex {
  return new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      if (!peer().destroyed) peer().push(chunk)
      done()
    },
    final(done) {
      if (!peer().destroyed) peer().push(null)
      done()
    },
    destroy(error, done) {
      if (!peer().destroyed) peer().destroy()
      done(error)
    },
  })
}

/**
 * Makes `read()` give everything that is buffered, as Node.js documents it. Bun's (1.4.5) gives only the first chunk,
 * and the broker, which reads once for each `readable` event, would wait for the rest of a packet for ever.
 */
export function readingEverything<Stream extends Duplex>(stream: Stream): Stream {
  const readChunk = stream.read.bind(stream)
  stream.read = (size?: number | null) => {
    if (typeof size === 'number') return readChunk(size)
    const chunks: Uint8Array[] = []
    for (let chunk = readChunk(); chunk !== null; chunk = readChunk()) chunks.push(chunk)
    if (chunks.length < 2) return chunks[0] ?? null
    return Buffer.concat(chunks)
  }
  return stream
}
