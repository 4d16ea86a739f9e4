import { describe, expect, test } from 'bun:test'
import type { StructureNode } from '../../../../src/engines/pdf/frame/frame.ts'
import { StructureTree } from '../../../../src/engines/pdf/render/structure.ts'
import { PdfFile } from '../../../../src/engines/pdf/render/write.ts'
import { opened } from './opened.ts'

const PAGE = 900
const OTHER_PAGE = 901

/** The tree as another library reads it, each element by its number: `S P K` and what else it says. */
async function written(nodes: readonly StructureNode[], use: (tree: StructureTree) => void) {
  const file = new PdfFile()
  const tree = new StructureTree(file, nodes)
  use(tree)
  const root = tree.write()
  const { objects } = await opened(file.write(root, root))
  const elements = [...objects].filter(([, syntax]) => syntax.includes('/S /'))
  const [document] = elements.find(([, syntax]) => syntax.includes('/S /Document')) ?? [0]
  const named = new Map([
    [document, 'Document'],
    [root, 'Root'],
  ])
  // Elements are named by their type and how many of it came before them.
  const counts = new Map<string, number>()
  for (const [number, syntax] of elements) {
    if (number === document) continue
    const type = /\/S \/(\w+)/.exec(syntax)?.[1] ?? ''
    counts.set(type, (counts.get(type) ?? 0) + 1)
    named.set(number, `${type}${counts.get(type)}`)
  }
  const readable = (syntax: string) => syntax.replace(/(\d+) 0 R/g, (ref, number) => named.get(Number(number)) ?? ref)
  const lines = Object.fromEntries(
    [...objects].map(([number, syntax]) => [named.get(number) ?? number, readable(syntax)]),
  )
  return {
    tree,
    lines,
    parents: lines[[...objects.keys()].find((number) => objects.get(number)?.includes('/Nums')) ?? ''],
  }
}

const node = (type: string, parent = -1, more: Partial<StructureNode> = {}): StructureNode => ({
  type,
  parent,
  ...more,
})

describe('The structure tree', () => {
  test('takes in nodes in the order in which they are drawn, with those around them', async () => {
    const nodes = [node('P'), node('Sect'), node('P', 1), node('Span', 2), node('Unused')]
    const { lines, parents } = await written(nodes, (tree) => {
      tree.addContent(3, PAGE, 0)
      tree.addContent(0, PAGE, 1)
      tree.addContent(3, PAGE, 2)
      tree.addPage([3, 0, 3])
    })
    expect(lines.Document).toBe('<< /Type /StructElem /S /Document /P Root /K [ Sect1 P2 ] >>')
    expect(lines.Sect1).toBe('<< /S /Sect /P Document /K [ P1 ] >>')
    expect(lines.P1).toBe('<< /S /P /P Sect1 /K [ Span1 ] >>')
    expect(lines.Span1).toBe('<< /S /Span /P P1 /Pg 900 0 R /K [ 0 2 ] >>')
    expect(lines.P2).toBe('<< /S /P /P Document /Pg 900 0 R /K [ 1 ] >>')
    expect(JSON.stringify(lines)).not.toContain('Unused')
    expect(parents).toBe('<< /Nums [ 0 [ Span1 P2 Span1 ] ] >>')
    expect(lines.Root).toMatch(
      /^<< \/Type \/StructTreeRoot \/K Document \/ParentTree \d+ 0 R \/ParentTreeNextKey 1 >>$/,
    )
  })

  test('names the page of content that is not on the page of the element', async () => {
    const { lines } = await written([node('P')], (tree) => {
      tree.addContent(0, PAGE, 4)
      tree.addContent(0, OTHER_PAGE, 0)
    })
    expect(lines.P1).toBe('<< /S /P /P Document /Pg 900 0 R /K [ 4 << /Type /MCR /Pg 901 0 R /MCID 0 >> ] >>')
  })

  test('keeps the children of an element in their order, however many there are of other elements between them', async () => {
    const { lines } = await written([node('P'), node('P')], (tree) => {
      for (let id = 0; id < 1_000; id++) tree.addContent(id % 2, PAGE, id)
      tree.addContent(0, OTHER_PAGE, 0)
    })
    const ids = (from: number) => Array.from({ length: 500 }, (_, index) => `${from + index * 2}`).join(' ')
    expect(lines.P1).toBe(`<< /S /P /P Document /Pg 900 0 R /K [ ${ids(0)} << /Type /MCR /Pg 901 0 R /MCID 0 >> ] >>`)
    expect(lines.P2).toBe(`<< /S /P /P Document /Pg 900 0 R /K [ ${ids(1)} ] >>`)
  })

  test('takes in a table whole, with rows and cells that draw nothing, in their order', async () => {
    const nodes = [
      ...[node('Table'), node('TR', 0), node('TD', 1), node('TD', 1), node('TR', 0), node('TH', 4), node('P', 2)],
      node('P', 3),
    ]
    const { lines } = await written(nodes, (tree) => tree.addContent(7, PAGE, 0))
    expect(lines.Table1).toBe('<< /S /Table /P Document /K [ TR1 TR2 ] >>')
    expect(lines.TR1).toBe('<< /S /TR /P Table1 /K [ TD1 TD2 ] >>')
    expect(lines.TR2).toBe('<< /S /TR /P Table1 /K [ TH1 ] >>')
    expect(lines.TD1).toBe('<< /S /TD /P TR1 /K [ ] >>')
    expect(lines.TD2).toBe('<< /S /TD /P TR1 /K [ P1 ] >>')
  })

  test('states scope and spans of cells, the description of pictures and the place where they are', async () => {
    const nodes = [
      node('Table'),
      node('TR', 0),
      node('TH', 1, { scope: 'Column', columnSpan: 2, rowSpan: 3 }),
      node('Figure', -1, { alt: 'A cat' }),
      node('Figure'),
      node('Note'),
    ]
    const { lines, tree } = await written(nodes, (made) => {
      for (const [id, one] of [2, 3, 5].entries()) made.addContent(one, PAGE, id)
      made.setBox(3, 1, 2.5, 3, 4)
      made.setBox(5, 1, 2, 3, 4)
      expect(made.undescribed).toBe(false)
      made.addContent(4, PAGE, 9)
    })
    expect(lines.TH1).toBe(
      '<< /S /TH /P TR1 /Pg 900 0 R /A << /O /Table /Scope /Column /ColSpan 2 /RowSpan 3 >> /K [ 0 ] >>',
    )
    expect(lines.Figure1).toBe(
      '<< /S /Figure /P Document /Pg 900 0 R /Alt (A cat) /A << /O /Layout /Placement /Block /BBox [ 1 2.5 3 4 ] >> /K [ 1 ] >>',
    )
    expect(lines.Figure2).toBe('<< /S /Figure /P Document /Pg 900 0 R /Alt (Picture) /K [ 9 ] >>')
    expect(lines.Note1).toBe('<< /S /Note /P Document /Pg 900 0 R /ID (note5) /K [ 2 ] >>')
    expect(tree.undescribed).toBe(true)
  })

  test('numbers headings without gaps, whatever levels the document has', async () => {
    const levels = [3, 1, 3, 5, 5, 2, 1, 9]
    const { lines, tree } = await written(
      levels.map((level) => node(`H${level}`)),
      (made) => {
        for (const [id] of levels.entries()) made.addContent(id, PAGE, id)
      },
    )
    expect(levels.map((_, index) => tree.type(index))).toEqual(['H1', 'H1', 'H2', 'H3', 'H3', 'H2', 'H1', 'H2'])
    expect(lines.Document).toContain('/K [ H11 H12 H21 H31 H32 H22 H13 H23 ]')
  })

  test('gives links an entry of their own beside those of pages', async () => {
    const keys: number[] = []
    const { lines, parents } = await written([node('Link')], (tree) => {
      keys.push(tree.addPage([]), tree.addAnnotation(0, PAGE, 77), tree.addPage([0]))
    })
    expect(keys).toEqual([0, 1, 2])
    expect(lines.Link1).toBe('<< /S /Link /P Document /K [ << /Type /OBJR /Pg 900 0 R /Obj 77 0 R >> ] >>')
    expect(parents).toBe('<< /Nums [ 0 [ ] 1 Link1 2 [ Link1 ] ] >>')
    expect(lines.Root).toContain('/ParentTreeNextKey 3')
  })
})
