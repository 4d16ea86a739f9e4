import { expect, test } from 'bun:test'
import type { Block } from '../../../../src/engines/pdf/model/document.ts'
import { numberParagraphs, visitParagraphs } from '../../../../src/engines/pdf/style/labels.ts'
import { cascadeOf, level, paragraph } from './cascades.ts'

const lists = { 1: [level({ text: '%1)' }), level({ text: '%1.%2' })] }
const item = (numberingLevel = 0, numberingId = '1') => paragraph({ numberingId, numberingLevel })
const table = (...cells: Block[][]): Block => ({
  ...{ kind: 'table', props: {}, grid: [] },
  rows: [{ props: {}, cells: cells.map((blocks) => ({ props: {}, blocks })) }],
})

test('Labels count the paragraphs of their list in the order of the document', () => {
  const first = item()
  const inBox = item()
  const anchor = paragraph()
  anchor.content.push({ kind: 'textbox', blocks: [inBox], width: 0, height: 0, autoHeight: true, props: {} })
  const blocks: Block[] = [first, item(1), table([item(1)], [anchor]), paragraph(), item(0, '7'), item(5), item()]
  const { cascade } = cascadeOf({ lists })
  const labels = numberParagraphs(blocks, cascade)
  expect([...labels.values()].map(({ text, depth, list }) => [text, depth, list])).toEqual([
    ['1)', 0, '1'],
    ['1.1', 1, '1'],
    ['1.2', 1, '1'],
    ['2)', 0, '1'],
    ['3)', 0, '1'],
  ])
  expect(labels.get(first)?.level).toBe(lists[1][0] ?? level())
  expect(labels.get(inBox)?.text).toBe('2)')
})

test('Every paragraph is visited once, those of tables and boxes where they are anchored', () => {
  const [a, b, c] = [paragraph(), paragraph(), paragraph()]
  const seen: unknown[] = []
  visitParagraphs([a, table([b], [c])], (one) => seen.push(one))
  expect(seen).toEqual([a, b, c])
  expect(seen[1]).toBe(b)
})
