/** Text outside Word's paragraphs: formulas, alternative texts, document properties, labels of charts. */
import type { XmlElement, XmlText } from '../../ooxml/xml.ts'
import { type Paragraph, type Piece, paragraphBefore, paragraphOfRuns, skippedContainers } from './paragraphs.ts'
import { attributeSpan, TagSearch } from './source.ts'

/** Texts of a Word part that aren't paragraphs but may hold tags. */
export function collectSingles(root: XmlElement, source: string, paragraphs: Paragraph[]): Paragraph[] {
  return [...collectAttributes(root, source, paragraphs), ...collectFormulas(root, source, paragraphs)]
}

/** Formulas (ECMA-376 part 1, 22.1.2.77) with the text of their runs, each as a paragraph of its own. */
function collectFormulas(root: XmlElement, source: string, paragraphs: Paragraph[]): Paragraph[] {
  if (!source.includes('oMath')) return []
  const found: Paragraph[] = []
  const search = new TagSearch(source)
  const path: XmlElement[] = []
  const walk = (element: XmlElement) => {
    if (skippedContainers.has(element.name) || !search.mayHoldTags(element)) return
    if (element.name === 'm:oMath') {
      const number = paragraphBefore(paragraphs, element.start)?.number ?? 1
      found.push(paragraphOfRuns(element, number, path.toReversed(), 'm:t'))
      return
    }
    path.push(element)
    for (const child of element.children) if (child.kind === 'element') walk(child)
    path.pop()
  }
  walk(root)
  return found
}

/**
 * Every element that directly holds text (document properties, labels of charts), and paragraphs of DrawingML with the
 * text of all their runs.
 */
export function collectLeaves(root: XmlElement): Paragraph[] {
  const leaves: Paragraph[] = []
  const add = (leaf: Paragraph) => {
    if (leaf.text.trim() !== '') leaves.push(leaf)
  }
  const walk = (element: XmlElement) => {
    const number = leaves.length + 1
    if (element.name === 'a:p') {
      add(paragraphOfRuns(element, number, [], 'a:t'))
      return
    }
    add(leafOf(element, number))
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return leaves
}

function leafOf(element: XmlElement, number: number): Paragraph {
  const pieces: Piece[] = []
  let text = ''
  for (const child of element.children) {
    if (child.kind === 'element') continue
    pieces.push({ from: text.length, text: child.text, node: child, chain: [element] })
    text += child.text
  }
  return { form: { kind: 'plain' }, element, number, pieces, text, ancestors: [], objects: [] }
}

/** Attributes whose text a reader sees or hears, by element. */
const textAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['wp:docPr', ['descr', 'title']],
  ['pic:cNvPr', ['descr', 'title']],
  ['v:shape', ['alt', 'title']],
  ['v:imagedata', ['o:title']],
  ['w:tblCaption', ['w:val']],
  ['w:tblDescription', ['w:val']],
])

/** Alternative texts and the like that hold a brace pair, each as a paragraph of its own. */
function collectAttributes(root: XmlElement, source: string, paragraphs: Paragraph[]): Paragraph[] {
  const found: Paragraph[] = []
  const search = new TagSearch(source)
  const path: XmlElement[] = []
  const walk = (element: XmlElement) => {
    if (!search.mayHoldTags(element)) return
    for (const name of textAttributes.get(element.name) ?? []) {
      const text = element.attributes[name]
      const span = text?.includes('{{') ? attributeSpan(element, name, source) : undefined
      if (text === undefined || span === undefined) continue
      const number = paragraphBefore(paragraphs, element.start)?.number ?? 1
      found.push(paragraphOfAttribute(element, number, { kind: 'text', text, ...span }, path.toReversed()))
    }
    path.push(element)
    for (const child of element.children) if (child.kind === 'element') walk(child)
    path.pop()
  }
  walk(root)
  return found
}

function paragraphOfAttribute(element: XmlElement, number: number, node: XmlText, ancestors: XmlElement[]): Paragraph {
  const pieces: Piece[] = [{ from: 0, text: node.text, node, chain: [element] }]
  return { form: { kind: 'attribute' }, element, number, pieces, text: node.text, ancestors, objects: [] }
}
