/** Writes archives: the same bytes for the same files, on any day and any machine. */
import { crc32 } from 'node:zlib'
import { deflate } from './deflate.ts'
import {
  centralHeaderBytes,
  centralSignature,
  endRecordBytes,
  endSignature,
  localHeaderBytes,
  localSignature,
  utf8Flag,
  type ZipEntry,
} from './zip-format.ts'

/** A new entry (compressed here) or one passed through with the bytes it already has. */
export type ZipOutput = { name: string; data: Uint8Array } | ZipEntry

/** Deflates one file into an entry. */
export function deflateEntry(name: string, data: Uint8Array): ZipEntry {
  const compressed = deflate(data, 6)
  const crc = crc32(data)
  if (compressed.length >= data.length)
    return { name, method: 0, crc32: crc, compressed: data, inflatedBytes: data.length }
  return { name, method: 8, crc32: crc, compressed, inflatedBytes: data.length }
}

/** One file as an entry that isn't compressed, for what is compressed already. */
export function storeEntry(name: string, data: Uint8Array): ZipEntry {
  return { name, method: 0, crc32: crc32(data), compressed: data, inflatedBytes: data.length }
}

/** 1 January 1980, 00:00, the earliest date of the format: the same input must give the same bytes on any day. */
const dosDate = 0x0021

const encoder = new TextEncoder()

/** Writes an archive with the entries in the order given, no extra fields and a fixed date. */
export function writeZip(outputs: readonly ZipOutput[]): Uint8Array {
  const entries = outputs.map((output) => {
    const entry = 'data' in output ? deflateEntry(output.name, output.data) : output
    return { entry, name: encoder.encode(entry.name), offset: 0 }
  })
  let size = endRecordBytes
  for (const { entry, name } of entries) {
    size += localHeaderBytes + centralHeaderBytes + 2 * name.length + entry.compressed.length
  }
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const written of entries) {
    const { entry, name } = written
    written.offset = at
    view.setUint32(at, localSignature, true)
    at = writeCommonFields(view, at + 4, entry, name)
    bytes.set(name, at)
    at += name.length
    bytes.set(entry.compressed, at)
    at += entry.compressed.length
  }
  const directory = at
  for (const { entry, name, offset } of entries) {
    view.setUint32(at, centralSignature, true)
    view.setUint16(at + 4, 20, true)
    const tail = writeCommonFields(view, at + 6, entry, name)
    view.setUint32(tail + 10, offset, true)
    at += centralHeaderBytes
    bytes.set(name, at)
    at += name.length
  }
  view.setUint32(at, endSignature, true)
  view.setUint16(at + 8, entries.length, true)
  view.setUint16(at + 10, entries.length, true)
  view.setUint32(at + 12, at - directory, true)
  view.setUint32(at + 16, directory, true)
  return bytes
}

/** The 26 bytes that local and central headers share; returns the position after them. */
function writeCommonFields(view: DataView, at: number, entry: ZipEntry, name: Uint8Array): number {
  view.setUint16(at, 20, true)
  view.setUint16(at + 2, name.length === entry.name.length ? 0 : utf8Flag, true)
  view.setUint16(at + 4, entry.method, true)
  view.setUint16(at + 8, dosDate, true)
  view.setUint32(at + 10, entry.crc32, true)
  view.setUint32(at + 14, entry.compressed.length, true)
  view.setUint32(at + 18, entry.inflatedBytes, true)
  view.setUint16(at + 22, name.length, true)
  return at + 26
}
