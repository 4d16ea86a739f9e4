/** Check boxes driven by a tag: content controls, by their title or tag, and form fields, by their help texts. */
import type { Finding } from '../../../core/finding.ts'
import type { Reading } from '../../../core/reading.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { type Paragraph, paragraphBefore, placeOf } from './paragraphs.ts'
import { attributeSpan, lastIndexFrom, TagSearch } from './source.ts'
import { earlierHint, earlierReading } from './tags.ts'

/** A check box and the elements whose `w:val` may hold its tag. */
interface CheckBox {
  /** The `w:sdt` or `w:fldChar`. */
  element: XmlElement
  names: XmlElement[]
}

/** The check box that an element is; undefined for all others. */
function checkBoxOf(element: XmlElement): CheckBox | undefined {
  if (element.name !== 'w:sdt' && element.name !== 'w:fldChar') return undefined
  const isControl = element.name === 'w:sdt'
  const holder = childNamed(element, isControl ? 'w:sdtPr' : 'w:ffData')
  if (holder === undefined || childNamed(holder, isControl ? 'w14:checkbox' : 'w:checkBox') === undefined) {
    return undefined
  }
  const names = isControl ? ['w:alias', 'w:tag'] : ['w:helpText', 'w:statusText']
  return { element, names: names.flatMap((name) => childNamed(holder, name) ?? []) }
}

/**
 * The tags of check boxes, each as a paragraph of its own. Its text is padded with blanks, so that an offset in it is also
 * valid in the paragraph that shows the box, and no two boxes of a paragraph share an offset.
 */
export function collectCheckBoxes(
  root: XmlElement,
  source: string,
  { part, paragraphs, reading }: { part: string; paragraphs: readonly Paragraph[]; reading: Reading },
  findings: Finding[],
): Paragraph[] {
  const found: Paragraph[] = []
  const search = new TagSearch(source)
  const path: XmlElement[] = []
  const report = (paragraph: Paragraph, at: number, finding: Omit<Finding, 'path'>) =>
    findings.push({ ...finding, path: placeOf(part, paragraph, at) })
  const walk = (element: XmlElement) => {
    if (!search.mayHoldTags(element)) return
    const box = checkBoxOf(element)
    const [name, ...more] = (box?.names ?? []).filter(({ attributes }) => attributes['w:val']?.includes('{{'))
    const single = name === undefined ? undefined : boxParagraph(element, name, { source, paragraphs, path })
    if (single !== undefined && reading < 4) report(single, single.text.indexOf('{{'), earlierBox(single.text.trim()))
    else if (single !== undefined && more.length > 0) report(single, single.text.indexOf('{{'), twoTags)
    else if (single !== undefined) found.push(single)
    path.push(element)
    for (const child of element.children) if (child.kind === 'element') walk(child)
    path.pop()
  }
  walk(root)
  return found
}

function boxParagraph(
  box: XmlElement,
  name: XmlElement,
  { source, paragraphs, path }: { source: string; paragraphs: readonly Paragraph[]; path: readonly XmlElement[] },
): Paragraph | undefined {
  const span = attributeSpan(name, 'w:val', source)
  const text = name.attributes['w:val']
  if (span === undefined || text === undefined) return undefined
  const { number, at } = placeOfBox(box, paragraphs)
  const node = { kind: 'text' as const, text, ...span }
  return {
    form: { kind: 'attribute' },
    element: box,
    number,
    pieces: [{ from: at, text, node, chain: [name] }],
    text: ' '.repeat(at) + text,
    ancestors: path.toReversed(),
    objects: [],
  }
}

/** The paragraph around a check box, or the first in it, and the position in its text. */
function placeOfBox(box: XmlElement, paragraphs: readonly Paragraph[]): { number: number; at: number } {
  const before = paragraphBefore(paragraphs, box.start)
  if (before !== undefined && before.element.end >= box.end) {
    const starts = ({ node, chain }: Paragraph['pieces'][number]) => node?.start ?? chain[0].start
    const last = before.pieces[lastIndexFrom(before.pieces, starts, box.start)]
    return { number: before.number, at: last === undefined ? 0 : last.from + last.text.length }
  }
  return { number: (before?.number ?? 0) + 1, at: 0 }
}

const twoTags: Omit<Finding, 'path'> = {
  code: 'docx.misplaced',
  severity: 'error',
  message: 'The check box has tags in two of its texts.',
  hint: 'Write {{check /flag}} into its title or its tag, and nothing into the other.',
}

function earlierBox(raw: string): Omit<Finding, 'path'> {
  return {
    code: earlierReading,
    severity: 'warning',
    message: `${raw.slice(0, 80).toWellFormed()} stays in the check box, as when this version was frozen; by today’s rules it ticks the box.`,
    hint: earlierHint,
  }
}
