import { bindings, bound, draft, family, path, property, source, spaceOf, textDraft } from './space-answers.ts'
import { type Act, type CannedWalk, describeWalks, key, open, press, write } from './walks.ts'

/** The cursor goes to a line of an editor, as a press there puts it. */
const cursor = (label: string, line: number): Act => [
  `cursor in ${label} to line ${line}`,
  async (shown) => {
    const { EditorView } = await import('@codemirror/view')
    const found = document.querySelector(`[data-label="${label}"]`)
    const editor = EditorView.findFromDOM((found?.shadowRoot ?? found)?.querySelector('.cm-editor') as HTMLElement)
    editor?.dispatch({ selection: { anchor: editor.state.doc.line(line).from } })
    await shown.settled()
  },
]
/** The lines that light up in an editor. */
const lit = (label: string, ...lines: string[]): Act => [
  `${label} has lit ${lines.join(' | ')}`,
  async () => {
    const found = document.querySelector(`[data-label="${label}"]`)
    const all = [...((found?.shadowRoot ?? found)?.querySelectorAll('.cm-lit') ?? [])]
    const seen = all.map(({ textContent }) => textContent?.trim()).join(' | ')
    if (seen !== lines.join(' | ')) throw new Error(`lit in ${label}: ${seen}`)
  },
]
const walks: Record<string, CannedWalk> = {
  'a word on the page, and where it comes from': {
    path,
    answers: spaceOf(),
    acts: [
      press('/reference'),
      lit('Input', '"number": "A-1",'),
      lit('Source', 'reference: /number'),
      lit('Schema', '"number": { "type": "string" },'),
      press('/reference'),
      lit('Input'),
      press('/rows/*/price'),
      lit('Source', 'do: { price: $l/amount }'),
      press(/^InputInput|^Input\/lines/),
      press(/^Transformer(line|no)/),
      press(/^Template\//),
      press(/^\/to/),
      press('Show the data'),
      press(/reference/),
      press(/reference/),
      press('Show the pages'),
      cursor('Input', 4),
      cursor('Source', 6),
      cursor('Source', 1),
    ],
  },
  'texts that change, and are saved': {
    path,
    answers: spaceOf({
      'PUT /api/v1/transformers/f-1/draft': (body: object) =>
        textDraft('f-1', (body as { source: string }).source, { revision: 2 }),
      'PUT /api/v1/contracts/k-1': (body: object) => ({
        contract: family('k-1', 'notice', { schema: (body as { schema: string }).schema, draft_revision: 2 }),
      }),
    }),
    acts: [
      write('Source', 'transform: declarative-v1\noutput: ['),
      write('Source', source.replace('/customer/name', '/number')),
      write('Schema', property('"more": { "type": "string" },')),
      key('s', { ctrlKey: true }),
      write('Input', ''),
      write('Input', '{"number": 1}'),
      write('Input', '{"number": '),
      open(`${path}?tab=transformer`),
    ],
  },
  'links that do not hold, and what mends them': {
    path: `${path}?tab=transformer`,
    beside: path,
    answers: spaceOf({
      'GET /api/v1/transformers/f-1/draft': textDraft(
        'f-1',
        source
          .replace('reference:', 'refrence:')
          .replace('/customer/name', '/customer/nam')
          .replace('rows:', 'brand: /brand\n  rows:'),
      ),
    }),
    acts: [press(/^Rename/), press(/^Read/), press(/^Declare/), press('Remove it'), press(/^Save 2/)],
  },
  'a value that the template wants and nobody makes': {
    path: `${path}?tab=template`,
    beside: path,
    answers: spaceOf({
      'GET /api/v1/templates/t-1/draft': draft({
        bindings: [...bindings, bound('/number', 5), bound('/note', 6, { required: false })],
      }),
    }),
    acts: [press(/^Add/)],
  },
}

describeWalks(
  'a workspace',
  'shows a document’s parts as drafts beside its pages, and where each word comes from',
  walks,
)
