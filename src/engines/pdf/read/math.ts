import { limits } from '../../../core/limits.ts'
import { childElements, childNamed, textOf, type XmlElement } from '../../ooxml/xml.ts'
import { contentOf, silent } from './markup.ts'
import { childValue } from './values.ts'

/**
 * An equation (22.1) on one line, in the notation that Word's own linear format has: `(a+b)/2`, `x^2`, `√(x)`, `∑_(i=1)^n`.
 */
export function mathText(element: XmlElement): string {
  return linear(element).slice(0, limits.renderMathChars)
}

function linear(element: XmlElement): string {
  switch (element.name) {
    case 'm:t':
    case 'w:t':
      return textOf(element)
    case 'm:f':
      return fraction(element)
    case 'm:sSup':
      return part(element, 'm:e') + raised(element)
    case 'm:sSub':
      return part(element, 'm:e') + lowered(element)
    case 'm:sSubSup':
      return part(element, 'm:e') + lowered(element) + raised(element)
    case 'm:sPre':
      return lowered(element) + raised(element) + part(element, 'm:e')
    case 'm:rad':
      return radical(element)
    case 'm:nary':
      return operator(element)
    case 'm:d':
      return delimited(element)
    case 'm:func':
      return `${part(element, 'm:fName')} ${part(element, 'm:e')}`
    case 'm:limLow':
      return `${part(element, 'm:e')}_${grouped(part(element, 'm:lim'))}`
    case 'm:limUpp':
      return `${part(element, 'm:e')}^${grouped(part(element, 'm:lim'))}`
    case 'm:acc':
      return part(element, 'm:e') + (property(element, 'm:accPr', 'm:chr') ?? '\u0302')
    case 'm:m':
      return `[${childElements(element, 'm:mr')
        .map((row) => cells(row).join(', '))
        .join('; ')}]`
    case 'm:eqArr':
      return cells(element).join('; ')
    default:
      return isUnseen(element) ? '' : contentOf(element).map(linear).join('')
  }
}

/** True for what is no part of an equation's final text: properties, marks, and what was deleted or moved away. */
export function isUnseen({ name }: XmlElement): boolean {
  return silent.has(name) || name.endsWith('Pr')
}

function part(element: XmlElement, name: string): string {
  const child = childNamed(element, name)
  return child ? linear(child) : ''
}

function cells(element: XmlElement): string[] {
  return childElements(element, 'm:e').map(linear)
}

/** Adds brackets unless it is a single letter, sign or number. */
function grouped(text: string): string {
  return /^(?:[\p{L}\p{M}]*|[\d.,]*|.)$/u.test(text) ? text : `(${text})`
}

function raised(element: XmlElement): string {
  const text = part(element, 'm:sup')
  return text === '' ? '' : `^${grouped(text)}`
}

function lowered(element: XmlElement): string {
  const text = part(element, 'm:sub')
  return text === '' ? '' : `_${grouped(text)}`
}

function fraction(element: XmlElement): string {
  const over = grouped(part(element, 'm:num'))
  const under = grouped(part(element, 'm:den'))
  return property(element, 'm:fPr', 'm:type') === 'noBar' ? `${over}¦${under}` : `${over}/${under}`
}

const roots: ReadonlyMap<string, string> = new Map([
  ['', '√'],
  ['2', '√'],
  ['3', '∛'],
  ['4', '∜'],
])

function radical(element: XmlElement): string {
  const degree = part(element, 'm:deg')
  return `${roots.get(degree) ?? `${degree}√`}(${part(element, 'm:e')})`
}

/** Sums, products and integrals with their bounds. */
function operator(element: XmlElement): string {
  const sign = property(element, 'm:naryPr', 'm:chr') ?? '∫'
  return `${sign}${lowered(element)}${raised(element)} ${part(element, 'm:e')}`
}

function delimited(element: XmlElement): string {
  const open = property(element, 'm:dPr', 'm:begChr') ?? '('
  const close = property(element, 'm:dPr', 'm:endChr') ?? ')'
  const between = property(element, 'm:dPr', 'm:sepChr') ?? '|'
  return open + cells(element).join(between) + close
}

function property(element: XmlElement, properties: string, name: string): string | undefined {
  const found = childNamed(element, properties)
  const child = found && childNamed(found, name)
  return child && (child.attributes['m:val'] ?? childValue(found, name))
}
