import { fail, type Outcome, succeed } from '../../../core/finding.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { writeZip } from '../../ooxml/zip.ts'
import type { CompiledPart } from '../program/program.ts'
import { Composition } from './composition.ts'
import { withContents } from './contents.ts'
import type { Marking } from './marking.ts'
import { assemble, type ComposedPart } from './package.ts'
import { runProgram } from './runner.ts'
import { withLastSection } from './sections.ts'
import type { Skeleton } from './skeleton.ts'

/** The parts of a compiled template that composing needs. */
export interface Composable {
  readonly parts: readonly CompiledPart[]
  readonly skeleton: Skeleton
}

/** Runs the programs of all parts, and puts the document together. With `marking`, values are marked by their tags. */
export function compose({ parts, skeleton }: Composable, data: JsonValue, marking?: Marking): Outcome<Uint8Array> {
  const composition = new Composition(data, skeleton, marking)
  const composed = parts.map((compiled) => composePart(compiled, composition, skeleton))
  if (composed.every(({ part }) => part !== skeleton.mainPart)) {
    composed.push({ part: skeleton.mainPart, text: undefined })
  }
  if (composition.findings.length > 0) return fail(...composition.findings)
  const bytes = writeZip(assemble(skeleton, composed, composition))
  if (bytes.length <= limits.artifactBytes) return succeed(bytes)
  const message = `The document has more than ${limits.artifactBytes} bytes.`
  composition.report('docx.too_large', '', message, 'Use smaller data.')
  return fail(...composition.findings)
}

function composePart(compiled: CompiledPart, composition: Composition, skeleton: Skeleton): ComposedPart {
  const { part, ops, mayLoseSection } = compiled
  let text = runProgram(ops, composition, part)
  if (mayLoseSection) text = withLastSection(text, skeleton.prefix)
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
