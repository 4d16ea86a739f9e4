import { fail, type Outcome, succeed } from '../../../core/finding.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { inflateEntry } from '../../ooxml/zip.ts'
import type { ZipEntry } from '../../ooxml/zip-format.ts'
import { storeEntry, writeZip, type ZipOutput } from '../../ooxml/zip-writer.ts'
import type { CompiledPart } from '../program/program.ts'
import { Composition, type Observers } from './composition.ts'
import { withContents } from './contents.ts'
import { assemble, type ComposedPart } from './package.ts'
import { runProgram } from './runner.ts'
import { withLastSection } from './sections.ts'
import type { Skeleton } from './skeleton.ts'

/** The parts of a compiled template that composing needs. */
export interface Composable {
  readonly parts: readonly CompiledPart[]
  readonly skeleton: Skeleton
}

/**
 * `small` is the only form that is kept; `quick` is for documents that are read back at once; `none` only tells whether
 * composing succeeds: it yields no bytes, unless only packing can tell whether the document is too large.
 */
export type ArchiveForm = 'small' | 'quick' | 'none'

/** Runs the programs of all parts, and puts the document together. */
export function compose(
  { parts, skeleton }: Composable,
  data: JsonValue,
  form: ArchiveForm,
  observers?: Observers,
): Outcome<Uint8Array> {
  const composition = new Composition(data, skeleton, observers)
  const composed = parts.map((compiled) => composePart(compiled, composition, skeleton))
  if (composed.every(({ part }) => part !== skeleton.mainPart)) {
    composed.push({ part: skeleton.mainPart, text: undefined })
  }
  if (composition.findings.length > 0) return fail(...composition.findings)
  const outputs = assemble(skeleton, composed, composition)
  if (form === 'none' && lengthOf(outputs) <= limits.artifactBytes / 2)
    return succeed(new Uint8Array(), composition.remarks)
  const bytes = (form !== 'small' ? quickly(outputs) : undefined) ?? writeZip(outputs)
  if (bytes.length <= limits.artifactBytes) return succeed(bytes, composition.remarks)
  const message = `The document has more than ${limits.artifactBytes} bytes.`
  composition.report('docx.too_large', '', message, 'Use smaller data.')
  return fail(...composition.findings)
}

/** How many bytes the parts have at most, as they are in an archive. */
function lengthOf(outputs: readonly ZipOutput[]): number {
  return outputs.reduce((sum, output) => sum + ('data' in output ? output.data : output.compressed).length, 0)
}

/**
 * An archive that readers take like the small one. Entries are stored uncompressed, except where a reader would refuse
 * the compression ratio. Undefined if it would exceed a document’s limit: only the small archive can then tell.
 */
function quickly(outputs: readonly ZipOutput[]): Uint8Array | undefined {
  const stored = outputs.map((output) => {
    if (!('data' in output)) return storedOf(output)
    return output.data.length <= limits.zipRatioFreeBytes ? storeEntry(output.name, output.data) : output
  })
  const bytes = writeZip(stored)
  return bytes.length <= limits.artifactBytes ? bytes : undefined
}

/** Stored forms of a template’s compressed entries. All its documents share them; readers needn’t inflate them. */
const storedEntries = new WeakMap<ZipEntry, ZipEntry>()

function storedOf(entry: ZipEntry): ZipEntry {
  if (entry.method === 0 || entry.inflatedBytes > limits.xmlSharedChars) return entry
  const known = storedEntries.get(entry)
  if (known !== undefined) return known
  const data = inflateEntry(entry)
  const stored = data.ok ? storeEntry(entry.name, data.value) : entry
  storedEntries.set(entry, stored)
  return stored
}

function composePart(compiled: CompiledPart, composition: Composition, skeleton: Skeleton): ComposedPart {
  const { part, ops, mayLoseSection } = compiled
  let text = runProgram(ops, composition, part)
  if (mayLoseSection) text = withLastSection(text)
  if (part === skeleton.mainPart && skeleton.hasContents && composition.findings.length === 0) {
    const { numbering } = composition
    text = withContents(text, {
      styles: skeleton.styles,
      prefix: skeleton.prefix,
      numbering: () => (numbering.isEmpty ? skeleton.numbering.text : numbering.text()),
    })
  }
  return { part, text }
}
