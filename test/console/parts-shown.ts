import type { Role } from '../../src/http/access.ts'
import { at } from './families.ts'

/** A part of the console, in each state that it shows otherwise. */
export interface Shown {
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
export const problem = (more: object = {}) => ({
  ...{ status: 409, code: 'conflict', title: 'Refused', detail: 'No.', correlationId: 'c-1', errors: [] },
  ...more,
})
const changes = (...lines: string[]) => ({ changes: [{ line: 3, lines }], label: 'Lines' })
export const rows = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)
const columns = [
  { title: 'One', kind: 'main', cell: (row: string) => row },
  { title: 'Two', cell: (row: string) => row.length },
]
export const table = (count: number, more: object = {}) => ({
  ...{ label: 'Rows', columns, rows: rows(count), keyOf: (row: string) => row },
  ...more,
})
const signalOf = <T>(value: T) => ({ value })
export const pages = (count: number, more: object = {}) => ({
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
const member = (more: object) => ({
  ...{ kind: 'transformer', slug: 'to-letter', name: 'To letter', family_id: 't-1', action: 'activate', nodes: [] },
  ...{ content_hash: 'h' },
  ...more,
})
const choosing = { from: at, isNow: true, chosen: undefined, onChoose: reveal }
const plan = (more: object) => ({ valid: true, issues: [], broken_cases: [], cases_run: 0, members: [], ...more })
const activated = (status: string) => ({
  id: `a-${status}`,
  kind: 'transformer',
  family_slug: 'to-letter',
  version: 2,
  status,
})
const doing = {
  ...{
    applied: { effective_from: at, activations: [activated('active')] },
    model: { name: 'Letters' },
    onClose: reveal,
  },
}
const templateDraft = (revision: number, ...pointers: string[]) => ({
  ...{ revision, byte_size: 2_000, updated_at: at, bindings: pointers.map((pointer) => ({ pointer })) },
})
const colliding = { contentPath: '/theirs', problem: undefined, replace: reveal, keepTheirs: reveal }
const region = (x: number) => ({ x, y: 1, width: 10, height: 5 })
const drawn = (number: number, ...regions: object[]) => ({
  number,
  width: 100,
  height: 200,
  svg: '<svg/>',
  regions,
})
const states = [
  ...['not_started', 'queued', 'running', 'processing', 'awaiting_compose', 'succeeded', 'completed', 'failed'],
  ...['versioned', 'published', 'deprecated', 'scheduled', 'active', 'superseded', 'cancelled', 'ready', 'unavailable'],
]

export const anybody: readonly Role[] = ['administrator', 'operator']

/** Every state of a part in which it shows something else; the file is as long as there are parts. */
export const shown: readonly Shown[] = [
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
    part: 'views/review/member',
    name: 'MemberPart',
    states: {
      'a part that takes over': {
        member: member({ from_version: 1, to_version: 3, newest_version: 3, since: at, nodes: ['a', 'b'] }),
        ...choosing,
      },
      'a part that comes into force later': {
        member: member({ from_version: 1, to_version: 2, newest_version: 2 }),
        ...choosing,
        isNow: false,
      },
      'a part with one version': { member: member({ to_version: 1, newest_version: 1 }), ...choosing },
      'a part of which another version was chosen': {
        member: member({ from_version: 1, to_version: 3, newest_version: 3 }),
        ...choosing,
        chosen: 2,
      },
      'a draft that is frozen with it': {
        member: member({ from_version: 1, to_version: 3, newest_version: 3, freezes_revision: 7 }),
        ...choosing,
      },
      'a first draft that is frozen with it': {
        member: member({ to_version: 1, newest_version: 1, freezes_revision: 7 }),
        ...choosing,
      },
      'a draft of a part without any version': { member: member({ to_version: 1, freezes_revision: 7 }), ...choosing },
      'a part that stays': {
        member: member({
          action: 'none',
          from_version: 2,
          to_version: 2,
          newest_version: 2,
          since: at,
          next: { version: 3, effective_from: at },
        }),
        ...choosing,
      },
      'a part that is missing': { member: member({ action: 'missing', newest_version: 2 }), ...choosing },
      'a part without a version to come': { member: member({ newest_version: 2 }), ...choosing },
      'a contract that is published': {
        member: member({ kind: 'contract', action: 'publish', from_version: 1, to_version: 2, newest_version: 2 }),
        ...choosing,
      },
      'a contract that is frozen and published': {
        member: member({ kind: 'contract', action: 'publish', to_version: 2, freezes_revision: 4 }),
        ...choosing,
      },
      'a contract that stays': {
        member: member({ kind: 'contract', action: 'none', from_version: 1, to_version: 2 }),
        ...choosing,
      },
      'a template whose fonts are guessed': {
        member: member({ kind: 'template', family_id: 'p-1', to_version: 2, newest_version: 2 }),
        ...choosing,
      },
      'a template that stays': {
        member: member({ kind: 'template', family_id: 'p-1', action: 'none', to_version: 2, newest_version: 2 }),
        ...choosing,
      },
      'a part with more versions than are offered': {
        member: member({ to_version: 120, newest_version: 120 }),
        ...choosing,
      },
    },
  },
  {
    part: 'views/review/breaks',
    name: 'Breaks',
    states: {
      'no case': { plan: plan({}) },
      'one case': { plan: plan({ cases_run: 1 }) },
      'many cases': { plan: plan({ cases_run: 3 }) },
      'what does not fit': {
        plan: plan({
          valid: false,
          issues: [
            { code: 'x', path: '/a', message: 'No.' },
            { code: 'four_eyes.own_work', message: 'Yours.' },
          ],
        }),
      },
      'somebody else has to act': {
        plan: plan({ valid: false, issues: [{ code: 'four_eyes.own_work', message: 'Yours.' }] }),
      },
      'suites have to be green': {
        plan: plan({
          valid: false,
          issues: [
            { code: 'suite.not_green', message: 'Red.' },
            { code: 'suite.not_green', message: 'Not run.' },
          ],
        }),
      },
      'a suite, and something else': {
        plan: plan({
          valid: false,
          issues: [
            { code: 'suite.not_green', message: 'Red.' },
            { code: 'y', message: 'No.' },
          ],
        }),
      },
      'one case that fails': {
        plan: plan({ cases_run: 3, broken_cases: [{ name: 'one', node: 'a', step: 'compose', message: 'No.' }] }),
      },
      'two cases that fail': {
        plan: plan({
          cases_run: 3,
          broken_cases: [
            { name: 'one', node: 'a', step: 'compose', message: 'No.' },
            { name: 'two', node: 'b', step: 'render', message: 'Nor that.' },
          ],
        }),
      },
    },
  },
  {
    part: 'views/review/done',
    name: 'Done',
    states: {
      'a first set': {
        ...doing,
        plan: plan({
          members: [
            member({ to_version: 1 }),
            member({ kind: 'contract', action: 'publish', from_version: 1, to_version: 2, slug: 'letter' }),
          ],
        }),
      },
      'another set': { ...doing, plan: plan({ members: [member({ from_version: 1, to_version: 2 })] }) },
      'one to come': {
        ...doing,
        applied: { effective_from: at, activations: [activated('scheduled'), activated('active')] },
        plan: plan({ members: [member({ to_version: 1 })] }),
      },
      'one whose plan is gone': { ...doing, plan: undefined },
    },
  },
  {
    part: 'views/template/file-collision',
    name: 'FileCollision',
    states: {
      'over a draft': {
        ...colliding,
        collision: {
          file: new File(['PK'], 'mine.docx'),
          base: templateDraft(3, '/a', '/b'),
          theirs: templateDraft(4, '/b', '/c', '/c'),
        },
      },
      'with the same bindings': {
        ...colliding,
        collision: {
          file: new File(['PK'], 'mine.docx'),
          base: templateDraft(3, '/a'),
          theirs: templateDraft(4, '/a'),
        },
        problem: problem(),
      },
      'over no draft': {
        ...colliding,
        collision: { file: new File(['PK'], 'mine.docx'), base: undefined, theirs: templateDraft(1, '/a') },
      },
      'over a draft without bindings': {
        ...colliding,
        collision: {
          file: new File(['PK'], 'mine.docx'),
          base: { ...templateDraft(1), bindings: undefined },
          theirs: { ...templateDraft(2), bindings: undefined },
        },
      },
    },
  },
  {
    part: 'views/template/page-pairs',
    name: 'PagePairs',
    states: {
      none: { from: 'v1', to: 'v2', pairs: [] },
      'all alike': { from: 'v1', to: 'v2', pairs: [{ before: drawn(1), after: drawn(1), isSame: true }] },
      'one that differs': {
        from: 'v1',
        to: 'v2',
        pairs: [
          { before: drawn(1), after: drawn(1), isSame: true },
          { before: drawn(2), after: drawn(3, region(10)) },
        ],
      },
      'three that differ': {
        from: 'v1',
        to: 'v2',
        pairs: [
          { before: drawn(1, region(1), region(50)), after: drawn(1, region(1)) },
          { before: drawn(2) },
          { after: drawn(2) },
          { before: drawn(3), after: drawn(4) },
        ],
      },
    },
  },
  {
    part: 'views/template/included',
    name: 'Included',
    states: {
      nothing: { template: { versions: [], included_by: undefined } },
      'by its newest version': {
        template: {
          versions: [
            { number: 3, fragments: ['a', 'b'] },
            { number: 2, fragments: ['c'] },
          ],
        },
      },
      'not by its newest version': { template: { versions: [{ number: 2, fragments: ['c'] }, { number: 3 }] } },
    },
  },
  {
    part: 'views/template/bound-list',
    name: 'Resolved',
    states: {
      all: {
        bindings: [
          { resolved: true, required: true },
          { resolved: false, required: false },
        ],
      },
      'all but one': {
        bindings: [
          { resolved: false, required: true },
          { resolved: true, required: true },
        ],
      },
      'all but two': {
        bindings: [
          { resolved: false, required: true },
          { resolved: false, required: true },
        ],
      },
    },
  },
  {
    part: 'views/configuration/earlier-reading',
    name: 'EarlierReading',
    states: {
      none: { from: { version: 1 }, to: { version: 2 } },
      'the same': {
        from: { version: 1, earlier_reading: [issue('No.', '/a')] },
        to: { version: 1, earlier_reading: [issue('No.', '/a')] },
      },
      both: {
        from: { version: 1, earlier_reading: [issue('No.', '/a', { context: { line: '4' } })] },
        to: { version: 2, earlier_reading: [issue('Nor that.', '/b')] },
      },
    },
  },
  {
    part: 'parts/unexpected-note',
    name: 'UnexpectedNote',
    states: { 'nothing unexpected': {} },
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
