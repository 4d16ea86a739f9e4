/** EMF starts with a header record and has `" EMF"` at byte 40; WMF starts with its placeable key, or with a header of 9 words. */
export function isMetafile(bytes: Uint8Array): boolean {
  return metafileKind(bytes) !== undefined
}

export function metafileKind(bytes: Uint8Array): 'emf' | 'wmf' | undefined {
  if (bytes.length < 18) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length >= 88 && view.getUint32(0, true) === 1 && view.getUint32(40, true) === 0x464d4520) return 'emf'
  if (view.getUint32(0, true) === 0x9ac6cdd7) return 'wmf'
  const type = view.getUint16(0, true)
  return (type === 1 || type === 2) && view.getUint16(2, true) === 9 ? 'wmf' : undefined
}
