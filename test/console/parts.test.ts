import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { ComponentType } from 'preact'
import type { Role } from '../../src/http/access.ts'
import { type CannedPage, openCannedPage } from '../support/canned.ts'
import { expectGoldenLines } from '../support/golden.ts'
import { looks, outline } from '../support/outline.ts'
import { at } from './families.ts'

setDefaultTimeout(60_000)

/** A part of the console, in each state that it shows otherwise. */
interface Shown {
  part: string
  name: string
  states: Readonly<Record<string, object>>
  as?: readonly Role[]
}

const step = (name: string, status: string, more: object = {}) => ({ name, status, attempt: 1, position: 0, ...more })
const failure = (issues: object[], more: object = {}) => ({
  ...{ code: 'invalid_input', message: 'The input is wrong.', issues },
  ...more,
})
const execution = (more: object = {}) => ({
  ...{ id: 'e-1', submission_id: 's-1', status: 'processing', created_at: at, updated_at: at, correlation_id: 'c-1' },
  ...{ steps: [], artifacts: [] },
  ...more,
})
const second = (seconds: number) => `2026-11-20T09:30:${String(seconds).padStart(2, '0')}Z`
const steps = [
  step('validate', 'succeeded', { position: 0, started_at: second(0), finished_at: second(10), duration_ms: 5_000 }),
  step('transform.declarative', 'succeeded', {
    position: 1,
    attempt: 2,
    started_at: second(10),
    finished_at: second(20),
    duration_ms: 10_000,
  }),
  step('compose', 'running', { position: 2, started_at: second(20) }),
  step('render', 'not_started', { position: 3 }),
]
const artifact = (kind: string, more: object = {}) => ({
  ...{ id: `a-${kind}`, kind, byte_size: 2_000, content_hash: `${kind}-hash`.repeat(4) },
  ...more,
})
const made = [artifact('pdf'), artifact('docx')]
const issue = (message: string, path: string, more: object = {}) => ({ message, path, ...more })
const reveal = () => undefined
const origin = { title: 'the template', hrefOf: (path: string) => `/templates/p-1?at=${path}` }
const submission = (id: string, statuses: readonly string[], more: object = {}) => ({
  ...{ id, created_at: at, object_reference: 'policy:1' },
  executions: statuses.map((status, index) => ({ id: `${id}-${index}`, status })),
  ...more,
})
const problem = (more: object = {}) => ({
  ...{ status: 409, code: 'conflict', title: 'Refused', detail: 'No.', correlationId: 'c-1', errors: [] },
  ...more,
})
const changes = (...lines: string[]) => ({ changes: [{ line: 3, lines }], label: 'Lines' })
const rows = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)
const columns = [
  { title: 'One', kind: 'main', cell: (row: string) => row },
  { title: 'Two', cell: (row: string) => row.length },
]
const table = (count: number, more: object = {}) => ({
  ...{ label: 'Rows', columns, rows: rows(count), keyOf: (row: string) => row },
  ...more,
})
const signalOf = <T>(value: T) => ({ value })
const pages = (count: number, more: object = {}) => ({
  ...{ ...table(count), empty: 'There is none.' },
  pages: {
    ...{ rows: signalOf(rows(count)), phase: signalOf('idle'), problem: signalOf(undefined), hasMore: signalOf(false) },
    ...{ more: reveal, restart: reveal },
    ...more,
  },
})
const tabs = [
  { key: 'a', title: 'A' },
  { key: 'b', title: 'B', count: 0, mark: 'it differs' },
]
const rule = (effect: string, pointer: string) => ({ effect, side: 'new', pointer, message: `It is ${effect}.` })
const field = (pointer: string, more: object = {}) => ({
  ...{ pointer, depth: 0, title: pointer.slice(1), isRequired: false, type: 'string', rules: [] },
  ...more,
})
const states = [
  ...['not_started', 'queued', 'running', 'processing', 'awaiting_compose', 'succeeded', 'completed', 'failed'],
  ...['versioned', 'published', 'deprecated', 'scheduled', 'active', 'superseded', 'cancelled', 'ready', 'unavailable'],
]

const anybody: readonly Role[] = ['administrator', 'operator']

const shown: readonly Shown[] = [
  { part: 'parts/status', name: 'Status', states: Object.fromEntries(states.map((of) => [of, { of }])) },
  {
    part: 'parts/line-difference',
    name: 'LineDifference',
    states: {
      'a part of a line': changes(' same', '-the old words stay', '+the new words stay', ' after'),
      'at the beginning and the end': changes('-old words', '+new words', '-words old', '+words new'),
      'only something more': changes('-some words', '+some more words'),
      'another line': changes('-something', '+else altogether, and long'),
      'as much in common as makes it the same line': changes(
        '-abcd______',
        '+abcd______',
        '-abc_______',
        '+abcxxxxxxx',
      ),
      'too little in common': changes('-ab________', '+abxxxxxxxx'),
      'spaces in common are nothing': changes('-        old', '+        xyz'),
      'more removed than added': changes('-one a', '-two b', '+one c', ' same', '+two d'),
      'more added than removed': changes('-one a', '+one b', '+two b', '-three'),
      'no line at the end': changes('-one', '\\ No newline at end of file', '+two'),
      'two places': {
        label: 'Lines',
        changes: [
          { line: 1, lines: ['+a', '+b', ' c'] },
          { line: 5, lines: ['-d', ' e'] },
          { line: 9, lines: [' f', '-g', '+h'] },
        ],
      },
    },
  },
  {
    part: 'parts/waterfall',
    name: 'Waterfall',
    states: {
      'on its way': { execution: execution({ steps: [...steps].reverse(), updated_at: second(40) }) },
      failed: {
        execution: execution({
          status: 'failed',
          steps: [
            steps[0],
            step('transform.declarative', 'failed', { position: 1, started_at: second(10), finished_at: second(30) }),
          ],
        }),
      },
      completed: { execution: execution({ status: 'completed', steps: steps.slice(0, 2) }) },
    },
  },
  { part: 'parts/waterfall', name: 'WaterfallOutline', states: { 'before anything ran': {} } },
  {
    part: 'parts/failure',
    name: 'Failure',
    states: {
      'no failure': { step: step('validate', 'succeeded'), rawInput: '{}', reveal },
      'an input that is JSON': {
        step: step('validate', 'failed', {
          failure: failure([
            issue('It is too long.', '/a', { keyword: 'maxLength' }),
            issue('The input is wrong.', ''),
            issue('There is none.', '/none'),
          ]),
        }),
        rawInput: '{\n "a": 1}',
        reveal,
      },
      'an input that is not on the page': {
        step: step('validate', 'failed', { failure: failure([issue('No.', '/a')]) }),
        rawInput: '{"a": 1}',
      },
      'an input in CSV': {
        step: step('validate', 'failed', {
          failure: failure([issue('No such column (line 3, column 14)', '/rows/1/a')]),
        }),
        rawInput: 'a;b',
        reveal,
        origin,
      },
      'an input that is not there': {
        step: step('validate', 'failed', { failure: failure([issue('No.', '/a')]) }),
        rawInput: undefined,
        reveal,
      },
      'a template': {
        step: step('compose', 'failed', {
          failure: failure([issue('There is no value. (line 1, column 2)', 'word/document.xml#1:0')], {
            code: 'docx.missing',
          }),
        }),
        rawInput: '{}',
        reveal,
        origin,
      },
      'what may pass': {
        step: step('render', 'failed', { attempt: 2, failure: failure([], { code: 'render_failed' }) }),
        rawInput: '{}',
      },
      'a parent': {
        step: step('validate', 'failed', { failure: failure([issue('No.', '/a')], { code: 'parent_failed' }) }),
        rawInput: '{"a": 1}',
        reveal,
        origin,
      },
    },
  },
  { part: 'parts/failure', name: 'FailedAt', states: { 'in a list': { step: 'compose', reason: 'No.' } } },
  {
    part: 'parts/removed',
    name: 'Removed',
    states: {
      nothing: { parts: undefined },
      two: {
        parts: [
          { part: 'raw_input', removed_at: at, policy: { retention: '2026-01-01', keep_days: 1 } },
          { part: 'artifacts', removed_at: at, policy: { retention: '2026-01-02', keep_days: 30 } },
        ],
      },
    },
  },
  {
    part: 'parts/documents',
    name: 'Documents',
    states: {
      none: { execution: execution() },
      'the DOCX first': { execution: execution({ artifacts: made }) },
      'the same as before': {
        execution: execution({ artifacts: made }),
        earlier: execution({ artifacts: [artifact('docx'), artifact('pdf', { content_hash: 'another' })] }),
      },
      'the same bytes of another kind': {
        execution: execution({ artifacts: [artifact('docx')] }),
        earlier: execution({ artifacts: [artifact('pdf', { content_hash: 'docx-hash'.repeat(4) })] }),
      },
      removed: { execution: execution({ artifacts: [artifact('pdf', { removed_at: at }), artifact('docx')] }) },
    },
  },
  {
    part: 'parts/documents',
    name: 'Documents',
    as: ['auditor'],
    states: { 'for who may not download': { execution: execution({ artifacts: made }) } },
  },
  {
    part: 'parts/provenance',
    name: 'Provenance',
    states: {
      'before it ran': { execution: execution() },
      'when it ran': {
        execution: execution({
          release_hash: 'r'.repeat(20),
          raw_input_hash: 'w'.repeat(20),
          input_hash: 'i'.repeat(20),
          output_hash: 'o'.repeat(20),
          correlation_id: 'long-correlation-id-of-it',
        }),
      },
    },
  },
  {
    part: 'parts/problem-note',
    name: 'ProblemNote',
    states: {
      'a refusal': { problem: problem() },
      'one without an answer': { problem: problem({ correlationId: '' }), retry: reveal },
      'one to wait for': { problem: problem({ retryAfterSeconds: 7 }) },
      'one that says itself twice': { problem: problem({ errors: [{ message: 'No.' }] }) },
      'one with places': { problem: problem({ errors: [{ message: 'No.', path: '/a' }, { message: 'Nor that.' }] }) },
    },
  },
  {
    part: 'parts/findings',
    name: 'Findings',
    states: {
      none: { findings: [], none: 'It is right.' },
      'of each kind': {
        none: 'It is right.',
        onReveal: reveal,
        findings: [
          { code: 'a', severity: 'error', message: 'Wrong.', line: 3, column: 7, path: '/a', hint: 'Mend it.' },
          { code: 'b', severity: 'warning', message: 'Odd.', line: 3, path: '' },
          { code: 'c', severity: 'error', message: 'Where?', near: { in: 'header', heading: 'Scope', words: 'Dear' } },
        ],
      },
      'that lead nowhere': { none: '', findings: [{ code: 'a', severity: 'error', message: 'Wrong.', line: 3 }] },
    },
  },
  {
    part: 'parts/corrections',
    name: 'CorrectedLater',
    states: {
      never: { later: [] },
      once: { later: [submission('s-2', ['completed', 'queued'])] },
      'in vain': {
        later: [submission('s-3', ['completed', 'failed']), submission('s-2', ['failed']), submission('s-1', [])],
      },
    },
  },
  {
    part: 'parts/corrections',
    name: 'CorrectedEarlier',
    states: {
      never: { submission: submission('s-1', []) },
      once: { submission: submission('s-2', [], { corrects: 's-1' }) },
    },
  },
  {
    part: 'parts/source-view',
    name: 'SourceView',
    states: {
      nothing: { label: 'Text', text: '' },
      'with marks': {
        label: 'Text',
        text: 'one two\nthree\nfour',
        tone: 'danger',
        marks: [{ line: 1, column: 5, message: 'Not two.' }, { line: 3 }],
      },
      'as long as it is drawn whole': { label: 'Text', text: rows(400).join('\n') },
      'too long to be drawn whole': { label: 'Text', text: rows(401).join('\n') },
    },
  },
  {
    part: 'parts/data-table',
    name: 'DataTable',
    states: {
      'drawn whole': table(60),
      'too long for that': table(61, { toneOf: (row: string) => (row === 'row 1' ? 'danger' : undefined) }),
    },
  },
  {
    part: 'parts/data-table',
    name: 'PagedTable',
    states: {
      none: pages(0),
      'being read': pages(0, { phase: signalOf('loading') }),
      'that can not be read': pages(0, { problem: signalOf(problem()) }),
      one: pages(1),
      'with more': pages(2, { hasMore: signalOf(true), phase: signalOf('loading') }),
      'with more that can not be read': pages(2, { hasMore: signalOf(true), problem: signalOf(problem()) }),
    },
  },
  {
    part: 'parts/blocks',
    name: 'Blocks',
    states: {
      'drawn whole': { rows: rows(25), class: 'all', rowPx: 10, draw: (row: string) => row },
      'as long as it is said': { rows: rows(30), class: 'all', rowPx: 10, wholeRows: 30, draw: (row: string) => row },
      'in blocks': { rows: rows(60), class: 'all', rowPx: 10, sought: 'row 59', draw: (row: string) => row },
    },
  },
  { part: 'parts/tabs', name: 'Tabs', states: { first: { label: 'Parts', tabs } } },
  {
    part: 'parts/page-head',
    name: 'PageHead',
    states: {
      'a title': { title: 'Title' },
      all: {
        title: 'Title',
        parent: { href: '/up', title: 'Up' },
        lede: 'What it is.',
        facts: 'One',
        children: 'Tool',
      },
    },
  },
  { part: 'parts/dotted', name: 'Dotted', states: { one: { name: 'one' }, three: { name: 'one.two.three' } } },
  {
    part: 'parts/copyable',
    name: 'Copyable',
    states: {
      whole: { value: '12345', label: 'id' },
      'as long as it may be': { value: '12345', label: 'id', chars: 5 },
      cut: { value: '123456', label: 'id', chars: 5 },
    },
  },
  {
    part: 'parts/field',
    name: 'Field',
    states: {
      plain: { label: 'Name', children: 'field' },
      hinted: { label: 'Name', hint: 'What?', children: 'field' },
    },
  },
  {
    part: 'parts/object-name',
    name: 'Reference',
    states: {
      named: { of: submission('s-1', []) },
      unnamed: { of: { id: '0123456789-abcdef', object_reference: '0123456789-abcdef' } },
    },
  },
  {
    part: 'views/contract/contract-changes',
    name: 'ContractChanges',
    states: {
      none: { changes: [] },
      breaking: { changes: [rule('compatible', '/a'), rule('breaking', ''), rule('unknown', '/b')] },
      undecided: { changes: [rule('compatible', '/a'), rule('unknown', '/b')] },
      compatible: { changes: [rule('compatible', '/a')] },
    },
  },
  {
    part: 'views/contract/form-preview',
    name: 'FormPreview',
    states: {
      'no field': { form: { rows: [], wholeType: 'string' } },
      fields: {
        form: {
          wholeType: 'object',
          rows: [
            field('/a', { isRequired: true, description: 'What it is.', choices: ['x', 'y'] }),
            field('/a/b', { depth: 1, rules: ['one', 'two'] }),
            field('/c', { pattern: '^x' }),
            field('/d', { rules: ['one'], pattern: '^y' }),
          ],
        },
      },
    },
  },
  {
    part: 'views/configuration/draft-offer',
    name: 'ServerCopy',
    states: Object.fromEntries(
      ['none', 'kept', 'failing'].map((state) => [state, { autosave: { state: signalOf(state) } }]),
    ),
  },
  {
    part: 'views/configuration/draft-conflict',
    name: 'Side',
    states: {
      'taken away': { title: 'Mine', of: { line: 4, texts: [] }, fate: 'dropped' },
      'an empty line': { title: 'Mine', of: { line: 4, texts: ['', 'x'] } },
    },
  },
  {
    part: 'views/template/fonts',
    name: 'TemplateFonts',
    states: {
      'of a draft': { path: '/api/v1/templates/p-1/fonts' },
      'of a change': { path: '/api/v1/templates/p-1/fonts', guessedOnly: true },
      'all here': { path: '/api/v1/templates/p-2/fonts', guessedOnly: true },
    },
  },
]

const font = (family: string, match: string, drawn_with = 'Other') => ({ family, match, drawn_with })

describe('parts', () => {
  let page: CannedPage
  beforeAll(async () => {
    page = await openCannedPage({
      'GET /api/v1/templates/p-1/fonts': {
        fonts: ['itself', 'twin', 'measured', 'guessed', 'borrowed'].map((match) => font(`A ${match}`, match)),
      },
      'GET /api/v1/templates/p-2/fonts': { fonts: [font('Here', 'itself')] },
      'GET /api/v1/executions/e-1/artifacts/a-pdf/download': () => new Response('%PDF'),
    })
  })
  afterAll(() => page?.close())

  /** Shows a part, does something with it, and takes it away. */
  async function showing(
    [part, name]: readonly [part: string, name: string],
    props: object,
    use: (box: HTMLElement, again: (other: object) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { h, render } = await import('preact')
    const { [name]: Part } = (await import(`../../src/console/${part}.tsx`)) as Record<string, ComponentType<object>>
    const box = document.createElement('div')
    document.body.append(box)
    const again = async (given: object) => {
      render(h(Part as ComponentType<object>, given), box)
      await page.settled()
    }
    try {
      await again(props)
      await use(box, again)
    } finally {
      render(null, box)
      box.remove()
    }
  }

  test('show each state as it is, and nothing where there is none', async () => {
    const lines: string[] = []
    for (const { part, name, states: all, as = anybody } of shown) {
      await page.be(as)
      for (const [state, props] of Object.entries(all)) {
        await showing([part, name], props, async (box) => {
          lines.push(`# ${name}: ${state}`, ...[...box.childNodes].flatMap((one) => shownOf(one)), ...looks(box))
        })
      }
    }
    expect(page.undescribed()).toEqual([])
    expectGoldenLines(join(import.meta.dir, 'golden', 'parts.txt'), lines)
  })

  test('draw the blocks of a long list that are in sight, and keep the place of the others', async () => {
    const observers: FakeObserver[] = []
    const before = globalThis.IntersectionObserver
    class FakeObserver {
      readonly seen: HTMLElement[] = []
      isOver = false
      constructor(
        readonly tell: (entries: object[]) => void,
        readonly options: { root: Element | null; rootMargin: string },
      ) {
        observers.push(this)
      }
      observe(element: HTMLElement): void {
        this.seen.push(element)
      }
      disconnect(): void {
        this.isOver = true
      }
    }
    globalThis.IntersectionObserver = FakeObserver as never
    try {
      const { h } = await import('preact')
      const draw = (row: string) => h('li', {}, h('button', { type: 'button' }, row))
      const list = { rows: rows(80), class: 'all', rowPx: 10, draw }
      await showing(['parts/blocks', 'Blocks'], list, async (box, again) => {
        const drawn = () => [...box.querySelectorAll('ul')].map((one) => one.style.height || one.children.length)
        const tell = async (isIntersecting: boolean, index: number, height = 0) => {
          observers
            .at(-1)
            ?.tell([{ target: observers.at(-1)?.seen[index], isIntersecting, boundingClientRect: { height } }])
          await page.settled()
        }
        expect(observers[0]?.options).toEqual({ root: null, rootMargin: '800px' })
        expect(observers[0]?.seen.map(({ dataset }) => dataset.block)).toEqual(['0', '1', '2', '3'])
        expect(drawn()).toEqual([25, '250px', '250px', '50px'])
        await tell(true, 1)
        expect(drawn()).toEqual([25, 25, '250px', '50px'])
        await tell(false, 0, 321)
        expect(drawn()).toEqual(['321px', 25, '250px', '50px'])
        // A block that was never drawn has no height of its own to keep.
        await tell(false, 2, 4)
        expect(drawn()).toEqual(['321px', 25, '250px', '50px'])
        box.querySelector('button')?.focus()
        await tell(false, 1, 111)
        expect(drawn()).toEqual(['321px', 25, '250px', '50px'])
        await again({ ...list, rows: rows(81) })
        expect(observers.length).toBe(1)
        await again({ ...list, rows: rows(126) })
        expect(observers.map(({ isOver, seen }) => [isOver, seen.length])).toEqual([
          [true, 4],
          [false, 6],
        ])
      })
      expect(observers.at(-1)?.isOver).toBe(true)
      // A list in a pane that scrolls is looked at in it, and one that ends reads on.
      let more = 0
      const paged = pages(2, { more: () => more++ })
      await showing(['parts/data-table', 'PagedTable'], paged, async () => {
        const { tell, options } = observers.at(-1) as FakeObserver
        expect(options.rootMargin).toBe('1200px')
        tell([{ isIntersecting: false }])
        expect(more).toBe(0)
        tell([{ isIntersecting: false }, { isIntersecting: true }])
        expect(more).toBe(1)
      })
    } finally {
      globalThis.IntersectionObserver = before
    }
  })

  test('draw the rows of a table around those in sight, first those that a jump leads to', async () => {
    await showing(['parts/data-table', 'DataTable'], table(1_000), async (box) => {
      const body = box.querySelector('tbody') as HTMLElement
      const drawn = () => {
        const own = [...body.querySelectorAll('tr:not(.spacer)')].map((row) => row.getAttribute('aria-rowindex'))
        return [
          own[0],
          own.at(-1),
          ...[...body.querySelectorAll<HTMLElement>('.spacer')].map(({ style }) => style.height),
        ]
      }
      const scrollTo = async (px: number) => {
        body.getBoundingClientRect = () => ({ top: -px }) as DOMRect
        window.dispatchEvent(new Event('scroll'))
        await page.settled()
      }
      expect(drawn()).toEqual(['2', '61', '42300px'])
      await scrollTo(45 * 35)
      expect(drawn()).toEqual(['2', '61', '42300px'])
      // Twenty rows are in sight; five more behind them have to be there.
      await scrollTo(45 * 36)
      expect(drawn()).toEqual(['28', '67', '1170px', '42030px'])
      await scrollTo(45 * 500)
      expect(drawn()).toEqual(['492', '531', '22050px', '21150px'])
      body.getBoundingClientRect = () => ({ top: 90 }) as DOMRect
      window.dispatchEvent(new Event('resize'))
      await page.settled()
      expect(drawn()).toEqual(['2', '29', '43740px'])
    })
  })

  test('draw the lines of a long text around those in sight', async () => {
    const text = rows(1_000).join('\n')
    await showing(['parts/source-view', 'SourceView'], { label: 'Text', text }, async (box) => {
      const source = box.querySelector('pre') as HTMLPreElement
      const drawn = () => {
        const own = [...source.querySelectorAll('[data-line]')].map((line) => line.getAttribute('data-line'))
        return [
          own[0],
          own.at(-1),
          ...[...source.querySelectorAll<HTMLElement>('.source-gap')].map(({ style }) => style.height),
        ]
      }
      expect(drawn()).toEqual(['1', '60', '0px', '18800px'])
      // Five and a half rows are in sight.
      Object.defineProperty(source, 'clientHeight', { value: 110 })
      for (const [top, expected] of [
        [299, ['1', '60', '0px', '18800px']],
        [300, ['1', '66', '0px', '18680px']],
        [1_000, ['16', '81', '300px', '18380px']],
        [19_990, ['961', '1000', '19200px', '0px']],
      ] as const) {
        source.scrollTop = top
        source.dispatchEvent(new Event('scroll'))
        await page.settled()
        expect([top, ...drawn()]).toEqual([top, ...expected])
      }
    })
  })

  test('bring the line into view that is asked for, or that is marked first', async () => {
    const given = { label: 'Text', text: rows(30).join('\n'), marks: [{ line: 11 }, { line: 3 }] }
    await showing(['parts/source-view', 'SourceView'], given, async (box, again) => {
      const source = box.querySelector('pre') as HTMLPreElement
      expect(source.scrollTop).toBe(200)
      expect(document.activeElement).not.toBe(source)
      // In the middle of the box.
      Object.defineProperty(source, 'clientHeight', { value: 110 })
      await again({ ...given, reveal: { line: 21 } })
      expect(source.scrollTop).toBe(345)
      expect(document.activeElement).toBe(source)
      await again({ ...given, reveal: { line: 99 } })
      expect(source.scrollTop).toBe(345)
    })
  })

  test('copy what they show, and say so for a moment', async () => {
    const copied: string[] = []
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void copied.push(text) },
      configurable: true,
    })
    for (const [name, props] of [
      ['Copyable', { value: '0123456789', label: 'id', chars: 4 }],
      ['CopyButton', { text: '0123456789', label: 'id' }],
    ] as const) {
      await showing(['parts/copyable', name], props, async (box) => {
        const said = () => box.querySelector('[role=status]')?.textContent
        expect(said()).toBe('')
        box.querySelector('button')?.click()
        await page.settled()
        expect([said(), looks(box)]).toEqual(['Copied', ['~ icon check']])
        expect(copied.splice(0)).toEqual(['0123456789'])
      })
    }
  })

  test('take a file that is dropped on them, and show where it would fall', async () => {
    const taken: File[] = []
    const given = { text: 'Drop it', onFile: (file: File) => taken.push(file) }
    await showing(['views/template/drop-zone', 'DropZone'], given, async (box) => {
      const zone = box.querySelector('label') as HTMLElement
      const tell = async (name: string, more: object = {}) => {
        const event = Object.assign(new Event(name, { bubbles: true, cancelable: true }), more)
        zone.dispatchEvent(event)
        await page.settled()
        return [zone.dataset.over, event.defaultPrevented]
      }
      expect(await tell('dragover')).toEqual(['true', true])
      expect(await tell('dragleave', { relatedTarget: zone.querySelector('span') })).toEqual(['true', false])
      expect(await tell('dragleave', { relatedTarget: document.body })).toEqual(['false', false])
      await tell('dragover')
      expect(await tell('dragleave', { relatedTarget: null })).toEqual(['false', false])
      await tell('dragover')
      const file = new File(['PK'], 'letter.docx')
      expect(await tell('drop', { dataTransfer: { files: [file] } })).toEqual(['false', true])
      expect(await tell('drop', { dataTransfer: { files: [] } })).toEqual(['false', true])
      expect(taken.map(({ name, type, size }) => [name, type, size])).toEqual([
        ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 2],
      ])
    })
  })

  test('show a PDF in the browser’s own viewer, once it has something to show', async () => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true, configurable: true })
    const given = { blob: new Blob(['%PDF']), title: 'Letter' }
    await showing(['parts/pdf-frame', 'PdfFrame'], given, async (box, again) => {
      const frame = () => box.querySelector('iframe') as HTMLIFrameElement
      expect([frame().title, frame().dataset.shown]).toEqual(['Letter', 'false'])
      const address = box.querySelector('a')?.getAttribute('href') ?? ''
      expect(frame().getAttribute('src')).toBe(`${address}#toolbar=0&navpanes=0&view=FitH`)
      frame().dispatchEvent(new Event('load'))
      await page.settled()
      expect(frame().dataset.shown).toBe('true')
      await again({ ...given, blob: new Blob(['%PDF 2']) })
      expect(frame().dataset.shown).toBe('false')
      expect(frame().getAttribute('src')?.startsWith(address)).toBe(false)
    })
  })
})

const shownOf = (node: ChildNode) => (node instanceof Element ? outline(node) : [`${node.textContent}`])
