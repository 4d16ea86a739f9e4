import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { Inline, Ruby } from '../model/document.ts'
import { childValue, halfPoints } from './values.ts'

/** The alignment of the shorter of a ruby's two texts (17.18.75); Word centres it in right-to-left text. */
const aligns: Readonly<Record<string, Ruby['align']>> = {
  left: 'left',
  right: 'right',
  distributeLetter: 'betweenLetters',
  distributeSpace: 'aroundLetters',
}

/** A phonetic guide (`w:ruby`, 17.3.3.25). Guide text without a size of its own takes the one that the guide states. */
export function readRuby(element: XmlElement, readRuns: (element: XmlElement) => Inline[]): Ruby {
  const properties = childNamed(element, 'w:rubyPr')
  const [base, guide] = [childNamed(element, 'w:rubyBase'), childNamed(element, 'w:rt')]
  const size = halfPoints(childValue(properties, 'w:hps'))
  return {
    base: base ? onOneLine(readRuns(base)) : [],
    guide: guide ? onOneLine(readRuns(guide), size) : [],
    raise: halfPoints(childValue(properties, 'w:hpsRaise')) ?? 0,
    align: aligns[childValue(properties, 'w:rubyAlign') ?? ''] ?? 'center',
  }
}

/**
 * Puts a text on one line: breaks and tabs become blanks. Changes the list in place, because text that a field has
 * swallowed may come back to it.
 *
 * @param size for text that states none
 */
function onOneLine(runs: Inline[], size?: number): Inline[] {
  for (const [at, inline] of runs.entries()) {
    const { kind, props: own } = inline
    const props = size === undefined || own.size !== undefined ? own : { ...own, size }
    runs[at] = kind === 'break' || kind === 'tab' ? { kind: 'text', text: ' ', props } : { ...inline, props }
  }
  return runs
}
