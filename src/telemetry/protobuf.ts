/** Fields of the protobuf wire format, by number; a message is its fields one after the other. */
export function message(...fields: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(fields))
}

export function textField(field: number, text: string): Uint8Array {
  return bytesField(field, new TextEncoder().encode(text))
}

export function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes])
}

export function varintField(field: number, value: bigint): Uint8Array {
  return Buffer.concat([varint(BigInt(field << 3)), varint(value)])
}

export function fixed64Field(field: number, value: bigint): Uint8Array {
  const bytes = new Uint8Array(9)
  bytes[0] = (field << 3) | 1
  new DataView(bytes.buffer).setBigUint64(1, value, true)
  return bytes
}

/** Negative numbers take ten bytes, as 64-bit two's complement. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 0x80n) {
      bytes.push(Number(rest))
      return Uint8Array.from(bytes)
    }
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}

export function doubleField(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(9)
  bytes[0] = (field << 3) | 1
  new DataView(bytes.buffer).setFloat64(1, value, true)
  return bytes
}

/** A packed repeated field of doubles: bounds of buckets. */
export function doublesField(field: number, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) view.setFloat64(index * 8, value, true)
  return bytesField(field, bytes)
}

/** A packed repeated field of fixed 64-bit integers: counts of buckets. */
export function fixed64sField(field: number, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) view.setBigUint64(index * 8, BigInt(value), true)
  return bytesField(field, bytes)
}
