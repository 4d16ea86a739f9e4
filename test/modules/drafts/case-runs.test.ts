import { describe, expect, test } from 'bun:test'
import { type CaseInput, type ChainNode, runCases } from '../../../src/modules/drafts/case-runs.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'

const contract = JSON.stringify({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, total: { type: 'integer' } },
})
const yaml = (source: string) => ({ source: `transform: declarative-v1\n${source}`, format: 'yaml' as const })
const node = (key: string, more: Partial<ChainNode> = {}): ChainNode => ({
  ...{ key, when: undefined, transformer: yaml('output: { id: /id }\n'), template: undefined, children: [] },
  ...more,
})
const input = (raw: string, params?: string, name = 'case'): CaseInput => ({ name, raw, params })
const run = (nodes: ChainNode[], cases: CaseInput[], schema = contract) => runCases({ contract: schema, nodes, cases })
const letter = (text: string) => wordPackage(p(text))
const good = '{"id":"A-1"}'

describe('the cases of a model', () => {
  test('are refused by nothing where everything fits', () => {
    const nodes = [node('main', { template: letter('{{/id}}'), children: [node('sub')] })]
    expect(run(nodes, [input(good), input('{"id":"B","total":7}')])).toEqual([])
  })

  test('are refused by the contract at each node that reads them, each case by its name and in their order', () => {
    const refused = run(
      [node('main', { children: [node('sub')] }), node('aside')],
      [input('{"id":7}', undefined, 'first'), input(good, undefined, 'second'), input('{', undefined, 'third')],
    )
    expect(refused.map(({ name, node: at, step }) => [name, at, step])).toEqual([
      ['first', 'main', 'validate'],
      ['first', 'aside', 'validate'],
      ['third', 'main', 'validate'],
      ['third', 'aside', 'validate'],
    ])
    expect(refused[0]!.message).toContain('/id')
  })

  test('are refused by a contract that is none', () => {
    expect(run([node('main')], [input(good)], '{"type": "unknown"}')).toMatchObject([
      { node: 'main', step: 'validate' },
    ])
  })

  test('are refused by a transformer that can not be run or makes nothing, and its children are not asked', () => {
    const broken = node('main', { transformer: yaml('output: [\n'), children: [node('sub')] })
    expect(run([broken], [input(good)])).toMatchObject([{ node: 'main', step: 'transform.declarative' }])
    const wanting = node('main', { transformer: yaml('output: { total: /total }\n'), children: [node('sub')] })
    expect(run([wanting], [input(good)])).toMatchObject([{ node: 'main', step: 'transform.declarative' }])
    expect(run([wanting], [input('{"id":"A","total":7}')], '{}')).toMatchObject([
      { node: 'main/sub', step: 'transform.declarative' },
    ])
  })

  test('give each child what its parent makes, which no contract describes', () => {
    const child = node('sub', { transformer: yaml('output: { made: /made }\n') })
    const parent = node('main', { transformer: yaml('output: { made: /id }\n'), children: [child] })
    expect(run([parent], [input(good)])).toEqual([])
    // Though it names the contract, which types what the raw input is.
    const typed = node('sub', { transformer: yaml('contract: order@1\noutput: { made: /made }\n') })
    expect(run([{ ...parent, children: [typed] }], [input(good)])).toEqual([])
    const grandchild = node('leaf', { transformer: yaml('output: { id: /id }\n') })
    const deep = node('main', { ...parent, children: [{ ...child, children: [grandchild] }] })
    expect(run([deep], [input(good)])).toMatchObject([{ name: 'case', node: 'main/sub/leaf' }])
  })

  test('are refused by a template that wants more than is made', () => {
    const nodes = [node('main', { template: letter('{{/nothing}}'), children: [node('sub')] })]
    expect(run(nodes, [input(good)])).toMatchObject([{ node: 'main', step: 'compose' }])
    expect(run([node('main', { template: new Uint8Array([1]) })], [input(good)])).toMatchObject([{ step: 'compose' }])
  })

  test('are filled with what a template includes', () => {
    const template = letter('{{> clause}}')
    const including = (text: string) => node('main', { template, fragments: new Map([['clause', letter(text)]]) })
    expect(run([including('{{/id}}')], [input(good)])).toEqual([])
    expect(run([including('{{/nothing}}')], [input(good)])).toMatchObject([{ node: 'main', step: 'compose' }])
  })

  test('pass a node by whose condition is not met, with all below it', () => {
    const broken = yaml('output: { x: /nothing }\n')
    const when = (value: string) => ({ $is: ['/id', '=', value] })
    const nodes = (value: string) => [node('main', { when: when(value), transformer: broken, children: [node('sub')] })]
    expect(run(nodes('B'), [input(good)])).toEqual([])
    expect(run(nodes('A-1'), [input(good)])).toMatchObject([{ node: 'main', step: 'transform.declarative' }])
  })

  test('hand to each transformer the params that it declares, and say what is wrong with them', () => {
    const declares = node('main', { transformer: yaml('params: { day: string }\noutput: { on: { param: day } }\n') })
    const plain = node('plain')
    expect(run([declares, plain], [input(good, '{"day":"Monday","more":1}')])).toEqual([])
    expect(run([declares, plain], [input(good)])).toMatchObject([{ node: 'main', step: 'transform.declarative' }])
    const refusals = (params: string) => run([plain], [input(good, params)]).map(({ message }) => message)
    expect(refusals('{')).toEqual([expect.stringContaining('The params: ')])
    expect(refusals('[]')).toEqual([expect.stringContaining('The params are not a JSON object.')])
    expect(refusals('{}')).toEqual([])
  })
})
