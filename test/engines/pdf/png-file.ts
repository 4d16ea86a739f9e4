/** A PNG of rows that are compressed already; `name` goes into a comment, so that equal pictures are different files. */
export function pngFile(picture: {
  width: number
  height: number
  depth: number
  color: number
  rows: Uint8Array
  name: string
}): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(picture.width)
  header.writeUInt32BE(picture.height, 4)
  header.set([picture.depth, picture.color, 0, 0, 0], 8)
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('tEXt', Buffer.from(`Title\0${picture.name}`)),
      chunk('IDAT', picture.rows),
      chunk('IEND', new Uint8Array(0)),
    ]),
  )
}

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4)
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
