import { limits } from '../../../core/limits.ts'
import { childElements, childNamed, textOf, type XmlElement } from '../../ooxml/xml.ts'
import type { Inline } from '../model/document.ts'
import type { Equation, Formula, FormulaText } from '../model/equation.ts'
import type { RunProps } from '../model/properties.ts'
import { contentOf } from './markup.ts'
import { isUnseen, mathText } from './math.ts'

/** Reads the look of a run (`w:rPr`) inside an equation. */
type ReadLook = (properties: XmlElement | undefined) => RunProps

/** An `m:oMath`; undefined if it has more characters or levels than are laid out. */
export function readEquation(element: XmlElement, display: Equation['display'], look: ReadLook): Equation | undefined {
  const linear = mathText(element)
  if (linear.length >= limits.renderMathChars) return undefined
  const formula = new Reader(look).row(element, 0)
  return formula && { formula, display, linear }
}

/** Where the equations of an `m:oMathPara` are on their lines. */
export function placeOfEquations(element: XmlElement): 'left' | 'center' | 'right' {
  const stated = property(element, 'm:oMathParaPr', 'm:jc')
  return stated === 'left' || stated === 'right' ? stated : 'center'
}

/** The alignment of a paragraph that holds nothing but displayed equations; undefined for any other. */
export function placeOfContent(content: readonly Inline[]): 'left' | 'center' | 'right' | undefined {
  let place: 'left' | 'center' | 'right' | undefined
  for (const inline of content) {
    if (inline.kind === 'bookmark' || inline.kind === 'break') continue
    if (inline.kind === 'text' && inline.text.trim() === '') continue
    if (inline.kind !== 'equation' || !inline.equation.display) return undefined
    place ??= inline.equation.display
  }
  return place
}

class Reader {
  private isTooDeep = false

  constructor(private readonly look: ReadLook) {}

  /** The parts of an element, one behind the other. */
  row(element: XmlElement | undefined, depth: number): Formula | undefined {
    const items = element ? contentOf(element).flatMap((child) => this.items(child, depth + 1)) : []
    if (this.isTooDeep) return undefined
    const [only, ...others] = items
    return only && others.length === 0 ? only : { kind: 'row', items }
  }

  private items(element: XmlElement, depth: number): Formula[] {
    if (depth > limits.renderMathDepth) {
      this.isTooDeep = true
      return []
    }
    if (element.name === 'm:r' || element.name === 'w:r') return this.texts(element)
    if (isUnseen(element)) return []
    const one = this.structure(element, depth)
    if (one) return [one]
    // All other elements only wrap parts of an equation: boxes, insertions, content controls, links.
    return contentOf(element).flatMap((child) => this.items(child, depth + 1))
  }

  private part(element: XmlElement, name: string, depth: number): Formula {
    return this.row(childNamed(element, name), depth) ?? { kind: 'row', items: [] }
  }

  /** A part that may be left out: an empty one is none. */
  private optional(element: XmlElement, name: string, depth: number): Formula | undefined {
    const part = this.part(element, name, depth)
    return part.kind === 'row' && part.items.length === 0 ? undefined : part
  }

  private parts(element: XmlElement, depth: number): Formula[] {
    return childElements(element, 'm:e').map((child) => this.row(child, depth) ?? { kind: 'row', items: [] })
  }

  private structure(element: XmlElement, depth: number): Formula | undefined {
    const part = (name: string) => this.part(element, name, depth)
    switch (element.name) {
      case 'm:f':
        return { kind: 'fraction', over: part('m:num'), under: part('m:den'), type: fractionType(element) }
      case 'm:sSup':
        return { kind: 'scripts', base: part('m:e'), sup: part('m:sup'), before: false }
      case 'm:sSub':
        return { kind: 'scripts', base: part('m:e'), sub: part('m:sub'), before: false }
      case 'm:sSubSup':
      case 'm:sPre': {
        const before = element.name === 'm:sPre'
        return { kind: 'scripts', base: part('m:e'), sub: part('m:sub'), sup: part('m:sup'), before }
      }
      case 'm:rad': {
        const isHidden = isOn(element, 'm:radPr', 'm:degHide')
        return { kind: 'radical', degree: isHidden ? undefined : part('m:deg'), radicand: part('m:e') }
      }
      case 'm:nary':
        return this.operator(element, depth)
      case 'm:d':
        return this.delimited(element, depth)
      case 'm:m':
        return this.matrix(element, depth)
      case 'm:eqArr':
        return { kind: 'stack', rows: this.parts(element, depth) }
      case 'm:limLow':
      case 'm:limUpp': {
        const side = element.name === 'm:limLow' ? 'below' : 'above'
        return { kind: 'limit', base: part('m:e'), limit: part('m:lim'), side }
      }
      case 'm:func':
        return { kind: 'function', name: part('m:fName'), argument: part('m:e') }
      default:
        return this.decorated(element, depth)
    }
  }

  /** What is drawn over, under or around its content. */
  private decorated(element: XmlElement, depth: number): Formula | undefined {
    const base = () => this.part(element, 'm:e', depth)
    switch (element.name) {
      case 'm:acc':
        return { kind: 'accent', base: base(), mark: property(element, 'm:accPr', 'm:chr') ?? '\u0302' }
      case 'm:bar': {
        const side = property(element, 'm:barPr', 'm:pos') === 'top' ? 'above' : 'below'
        return { kind: 'bar', base: base(), side }
      }
      case 'm:groupChr': {
        const side = property(element, 'm:groupChrPr', 'm:pos') === 'top' ? 'above' : 'below'
        return { kind: 'brace', base: base(), sign: property(element, 'm:groupChrPr', 'm:chr') ?? '\u23df', side }
      }
      case 'm:borderBox':
        return { kind: 'framed', base: base() }
      case 'm:phant':
        return isOn(element, 'm:phantPr', 'm:show', 'unless said otherwise')
          ? base()
          : { kind: 'phantom', base: base() }
      default:
        return undefined
    }
  }

  private operator(element: XmlElement, depth: number): Formula {
    const sign = property(element, 'm:naryPr', 'm:chr') ?? '∫'
    const isIntegral = sign >= '\u222b' && sign <= '\u2233'
    const place = property(element, 'm:naryPr', 'm:limLoc') ?? (isIntegral ? 'subSup' : 'undOvr')
    const hidden = (name: string) => isOn(element, 'm:naryPr', name)
    return {
      kind: 'operator',
      sign,
      sub: hidden('m:subHide') ? undefined : this.optional(element, 'm:sub', depth),
      sup: hidden('m:supHide') ? undefined : this.optional(element, 'm:sup', depth),
      limits: place === 'undOvr' ? 'around' : 'beside',
      operand: this.part(element, 'm:e', depth),
    }
  }

  private delimited(element: XmlElement, depth: number): Formula {
    return {
      kind: 'delimited',
      open: property(element, 'm:dPr', 'm:begChr') ?? '(',
      close: property(element, 'm:dPr', 'm:endChr') ?? ')',
      separator: property(element, 'm:dPr', 'm:sepChr') ?? '|',
      items: this.parts(element, depth),
      grows: isOn(element, 'm:dPr', 'm:grow', 'unless said otherwise'),
    }
  }

  private matrix(element: XmlElement, depth: number): Formula {
    const properties = childNamed(element, 'm:mPr')
    const columns = properties && childNamed(properties, 'm:mcs')
    const align = (columns ? childElements(columns, 'm:mc') : []).flatMap((column) => {
      const stated = property(column, 'm:mcPr', 'm:mcJc')
      const count = Number(property(column, 'm:mcPr', 'm:count') ?? 1)
      const one: 'left' | 'right' | 'center' = stated === 'left' || stated === 'right' ? stated : 'center'
      return Array.from({ length: Math.min(count || 1, limits.renderMathColumns) }, () => one)
    })
    return { kind: 'matrix', rows: childElements(element, 'm:mr').map((row) => this.parts(row, depth)), align }
  }

  /** The text of a run; `&` marks where lines of a stack are aligned. */
  private texts(element: XmlElement): Formula[] {
    const props = this.look(childNamed(element, 'w:rPr'))
    const shared = { kind: 'text' as const, ...styleOf(element), props }
    const text = childElements(element, 'm:t').concat(childElements(element, 'w:t')).map(textOf).join('')
    return text
      .split('&')
      .flatMap((piece, index): Formula[] => [
        ...(index > 0 ? [{ kind: 'align' as const }] : []),
        ...(piece === '' ? [] : [{ ...shared, text: piece }]),
      ])
  }
}

const styles: Readonly<Record<string, FormulaText['style']>> = { p: 'plain', b: 'bold', i: 'italic', bi: 'boldItalic' }
const scripts: Readonly<Record<string, FormulaText['script']>> = {
  script: 'script',
  fraktur: 'fraktur',
  'double-struck': 'doubleStruck',
}

function styleOf(run: XmlElement): Pick<FormulaText, 'style' | 'script' | 'ordinary'> {
  return {
    style: styles[property(run, 'm:rPr', 'm:sty') ?? 'i'] ?? 'italic',
    script: scripts[property(run, 'm:rPr', 'm:scr') ?? ''] ?? 'roman',
    ordinary: isOn(run, 'm:rPr', 'm:nor'),
  }
}

function fractionType(element: XmlElement): 'bar' | 'noBar' | 'skewed' | 'linear' {
  const type = property(element, 'm:fPr', 'm:type')
  if (type === 'skw') return 'skewed'
  return type === 'noBar' ? 'noBar' : type === 'lin' ? 'linear' : 'bar'
}

function property(element: XmlElement, properties: string, name: string): string | undefined {
  const found = childNamed(element, properties)
  const child = found && childNamed(found, name)
  return child && (child.attributes['m:val'] ?? child.attributes['w:val'])
}

/** A switch: on where its element is there without a value that says no. */
function isOn(
  element: XmlElement,
  properties: string,
  name: string,
  usual: 'if said so' | 'unless said otherwise' = 'if said so',
): boolean {
  const found = childNamed(element, properties)
  const child = found && childNamed(found, name)
  if (!child) return usual === 'unless said otherwise'
  const value = child.attributes['m:val'] ?? child.attributes['w:val'] ?? '1'
  return value !== '0' && value !== 'off' && value !== 'false'
}
