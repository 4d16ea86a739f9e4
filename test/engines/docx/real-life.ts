import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  ImageRun,
  type ISectionOptions,
  LevelFormat,
  Packer,
  PageNumber,
  PageOrientation,
  Paragraph,
  type ParagraphChild,
  Tab,
  Table,
  TableCell,
  TableOfContents,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { JsonValue } from '../../../src/core/json.ts'

/** A template as an office would make it, data for it, and what must then be read in the document, in this order. */
export interface RealTemplate {
  name: string
  build(): Promise<Uint8Array>
  data: JsonValue
  /** Texts as a reader finds them, white space aside. */
  expected: string[]
  /** Texts that must not appear. */
  absent: string[]
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const line = (...children: (string | ParagraphChild)[]) =>
  new Paragraph({ children: children.map((child) => (typeof child === 'string' ? new TextRun(child) : child)) })
const bold = (text: string) => new TextRun({ text, bold: true })
const heading = (text: string, level: (typeof HeadingLevel)[keyof typeof HeadingLevel] = HeadingLevel.HEADING_1) =>
  new Paragraph({ text, heading: level })
const cell = (...content: (string | Paragraph)[]) =>
  new TableCell({ children: content.map((one) => (typeof one === 'string' ? line(one) : one)) })
const row = (...cells: string[]) => new TableRow({ children: cells.map((text) => cell(text)) })
const table = (...rows: TableRow[]) => new Table({ rows, width: { size: 100, type: WidthType.PERCENTAGE } })
const numbered = (text: string, level = 0, reference = 'clauses') =>
  new Paragraph({ children: [new TextRun(text)], numbering: { reference, level } })

const numbering = {
  config: [
    {
      reference: 'clauses',
      levels: [
        { level: 0, format: LevelFormat.DECIMAL, text: '%1.', alignment: AlignmentType.START },
        { level: 1, format: LevelFormat.DECIMAL, text: '%1.%2', alignment: AlignmentType.START },
        { level: 2, format: LevelFormat.LOWER_LETTER, text: '(%3)', alignment: AlignmentType.START },
      ],
    },
    {
      reference: 'dots',
      levels: [{ level: 0, format: LevelFormat.BULLET, text: '•', alignment: AlignmentType.START }],
    },
  ],
}

type Options = ConstructorParameters<typeof Document>[0]

async function packed(sections: ISectionOptions[], more: Partial<Options> = {}): Promise<Uint8Array> {
  const document = new Document({ numbering, title: 'Template', ...more, sections })
  return new Uint8Array(await Packer.toBuffer(document))
}

const picture = () =>
  new ImageRun({
    type: 'png',
    data: Buffer.from(png, 'base64'),
    transformation: { width: 60, height: 60 },
    altText: { name: 'logo', description: '{{image /sender/logo}}', title: '' },
  })

const pageFooter = new Footer({
  children: [
    new Paragraph({
      alignment: AlignmentType.CENTER,
      children: [
        new TextRun({ children: ['{{/sender/name}}, page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] }),
      ],
    }),
  ],
})

const letter: RealTemplate = {
  name: 'letter',
  build: () =>
    packed([
      {
        headers: {
          default: new Header({
            children: [new Paragraph({ children: [picture(), new TextRun(' {{/sender/name}}')] })],
          }),
        },
        footers: { default: pageFooter },
        children: [
          line('{{#each /address}}{{.}}'),
          line('{{#end}}'),
          line(
            'Our reference: ',
            bold('{{/ref'),
            bold('erence}}'),
            new TextRun({ children: [new Tab()] }),
            '{{/date | date "d MMMM yyyy" "en"}}',
          ),
          heading('{{/subject}}'),
          line('Dear {{#if /title}}{{/title}} {{#end}}{{/last', new TextRun({ text: 'Name}}', italics: true }), ','),
          line(
            'we owe you ',
            bold('{{/amount | number "#,##0.00"}}'),
            ' {{/currency}}. See ',
            new ExternalHyperlink({
              link: 'https://example.org/?id=%7B%7B/reference%7D%7D',
              children: [new TextRun('your account')],
            }),
            '.',
          ),
          line('{{#if /overdue}}'),
          line('This payment is overdue.'),
          line('{{#end}}'),
          line('Yours sincerely'),
          line('{{/sender/person | default "Customer service"}}'),
        ],
      },
    ]),
  data: {
    sender: { name: 'Example Ltd', logo: png, person: null },
    address: ['Ann Example', '1 High Street', 'London'],
    reference: 'R & 7',
    date: '2026-03-01',
    subject: 'Your refund <urgent>',
    title: 'Dr',
    lastName: 'Example',
    amount: 1234.5,
    currency: 'EUR',
    overdue: false,
  },
  expected: [
    'Example Ltd',
    'Ann Example',
    '1 High Street',
    'London',
    'Our reference: R & 7',
    '1 March 2026',
    'Your refund <urgent>',
    'Dear Dr Example,',
    '1,234.50 EUR',
    'your account',
    'Yours sincerely',
    'Customer service',
    'Example Ltd, page 1 of 1',
  ],
  absent: ['overdue'],
}

const policy: RealTemplate = {
  name: 'policy with annexes',
  build: () => {
    const annex = (name: string, title: string, children: ISectionOptions['children']): ISectionOptions => ({
      children: [line(`{{#if /annexes/${name}}}`), heading(title), ...children],
    })
    return packed(
      [
        {
          children: [
            new Paragraph({ text: 'Policy {{/number}}', heading: HeadingLevel.TITLE }),
            new TableOfContents('Contents', { hyperlink: true, headingStyleRange: '1-2' }),
            heading('Cover'),
            line('{{#each /covers}}'),
            heading('{{@index}}. {{./name}}', HeadingLevel.HEADING_2),
            line('Sum insured: {{./sum | number "#,##0"}}', new FootnoteReferenceRun(1)),
            line('{{#if ./excess}}Excess: {{./excess}}{{#end}}'),
            line('{{#end}}'),
          ],
        },
        annex('glass', 'Annex A: Glass', [line('Glass is covered for {{/holder}}.'), line('{{#end}}')]),
        annex('abroad', 'Annex B: Abroad', [
          line('{{#each /countries}}{{.}}{{#if @last}}.{{#else}}, {{#end}}{{#end}}'),
          line('{{#end}}'),
        ]),
      ],
      { footnotes: { 1: { children: [line('Per event, for {{./name}}.')] } } },
    )
  },
  data: {
    number: 'P-1',
    holder: 'Ann Example',
    covers: [
      { name: 'Fire', sum: 500000, excess: 250 },
      { name: 'Water', sum: 100000 },
    ],
    annexes: { glass: true, abroad: true },
    countries: ['France', 'Italy'],
  },
  expected: [
    'Policy P-1',
    'Cover',
    '1. Fire',
    'Sum insured: 500,000',
    'Excess: 250',
    '2. Water',
    'Sum insured: 100,000',
    'Per event, for Fire.',
    'Per event, for Water.',
    'Annex A: Glass',
    'Glass is covered for Ann Example.',
    'Annex B: Abroad',
    'France, Italy.',
  ],
  absent: [],
}

const invoice: RealTemplate = {
  name: 'invoice',
  build: () =>
    packed([
      {
        footers: { default: pageFooter },
        children: [
          heading('Invoice {{/number}}'),
          table(
            new TableRow({
              tableHeader: true,
              children: ['Pos.', 'Text', 'Price', 'Sum'].map((text) => cell(line(bold(text)))),
            }),
            row(
              '{{#each /lines}}{{@index}}',
              '{{./text}}',
              '{{./price | number "#,##0.00" "de-DE"}}',
              '{{./sum | number "#,##0.00" "de-DE"}}{{#end}}',
            ),
            row('{{#if /discount}}', '', '', ''),
            new TableRow({
              children: [new TableCell({ columnSpan: 3, children: [line('Discount')] }), cell('{{/discount}}')],
            }),
            row('{{#end}}', '', '', ''),
            new TableRow({
              children: [
                new TableCell({ columnSpan: 3, children: [line(bold('Total'))] }),
                cell(line(bold('{{/total | number "#,##0.00" "de-DE"}}'))),
              ],
            }),
          ),
          line(''),
          line('{{#each /groups}}'),
          line('Group {{./name}}'),
          table(row('{{#each ./items}}{{.}}', '{{../name}}{{#end}}')),
          line('{{#end}}'),
          line('Pay with: {{qr /payment size=3cm}}'),
          line('{{barcode /number type=code39 width=5cm height=1cm}}'),
        ],
      },
    ]),
  data: {
    sender: { name: 'Example Ltd' },
    number: '2026-17',
    lines: [
      { text: 'Planning', price: 1200, sum: 1200 },
      { text: 'Building & more', price: 10.5, sum: 2100.75 },
    ],
    discount: null,
    total: 3300.75,
    groups: [
      { name: 'A', items: ['one', 'two'] },
      { name: 'B', items: [] },
    ],
    payment: 'BCD\n002\n1\nSCT',
  },
  expected: [
    'Invoice 2026-17',
    'Pos.',
    '1',
    'Planning',
    '1.200,00',
    '2',
    'Building & more',
    '2.100,75',
    'Total',
    '3.300,75',
    'Group A',
    'one',
    'two',
    'Group B',
    'Pay with:',
  ],
  absent: ['Discount'],
}

const contract: RealTemplate = {
  name: 'contract of several sections',
  build: () =>
    packed([
      {
        headers: { default: new Header({ children: [line('Contract {{/number}}')] }) },
        children: [
          heading('Parties'),
          line('{{#each /parties restart}}'),
          line('{{./name}}, represented by:'),
          line('{{#each ./people}}'),
          numbered('{{.}}'),
          line('{{#end}}'),
          line('{{#end}}'),
          heading('Terms'),
          line('{{#each /clauses}}{{rich .}}{{#end}}'),
        ],
      },
      {
        properties: { page: { size: { orientation: PageOrientation.LANDSCAPE } } },
        headers: { default: new Header({ children: [line('Schedule to {{/number}}')] }) },
        children: [
          heading('Schedule'),
          table(row('Due', 'Amount'), row('{{#each /payments}}{{./due | date "yyyy-MM-dd"}}', '{{./amount}}{{#end}}')),
          line(''),
        ],
      },
      { children: [line('{{#if /signed}}'), heading('Signatures'), line('{{/place}}'), line('{{#end}}')] },
    ]),
  data: {
    number: 'C-9',
    parties: [
      { name: 'Alpha Ltd', people: ['Ann', 'Bob'] },
      { name: 'Beta Ltd', people: ['Cy'] },
    ],
    clauses: [
      '## Duration\n\nThe contract runs for **two years**.\n\n1. It starts at once.\n2. It ends:\n   - by notice, or\n   - by breach.',
      '<h2>Price</h2><p>See the <a href="https://example.org/prices">list</a>.</p><table><tr><th>From</th><th>Rate</th></tr><tr><td>2026</td><td>7 %</td></tr></table>',
    ],
    payments: [
      { due: '2026-01-31', amount: 100 },
      { due: '2026-02-28', amount: 200 },
    ],
    signed: false,
    place: 'London',
  },
  expected: [
    'Contract C-9',
    'Parties',
    'Alpha Ltd, represented by:',
    '1. Ann',
    '2. Bob',
    'Beta Ltd, represented by:',
    '1. Cy',
    'Terms',
    'Duration',
    'two years',
    '1. It starts at once.',
    '2. It ends:',
    'by notice, or',
    'by breach.',
    'Price',
    'See the list.',
    'From',
    'Rate',
    '2026',
    'Schedule to C-9',
    'Schedule',
    '2026-01-31',
    '100',
    '2026-02-28',
    '200',
  ],
  absent: ['Signatures', 'London'],
}

const certificate: RealTemplate = {
  name: 'certificate in landscape',
  build: () => {
    const border = { style: BorderStyle.DOUBLE, size: 12, color: '336699', space: 10 }
    const centered = (text: string, size: number) =>
      new Paragraph({
        alignment: AlignmentType.CENTER,
        spacing: { before: 200 },
        children: [new TextRun({ text, size })],
      })
    return packed([
      {
        properties: {
          page: {
            size: { orientation: PageOrientation.LANDSCAPE },
            borders: {
              pageBorderTop: border,
              pageBorderBottom: border,
              pageBorderLeft: border,
              pageBorderRight: border,
            },
          },
        },
        children: [
          new Paragraph({ alignment: AlignmentType.CENTER, children: [picture()] }),
          centered('Certificate', 72),
          centered('{{/name | upper}}', 48),
          centered(
            'has passed {{/course}} {{#if /grade <= 1.5}}with distinction{{#else}}with grade {{/grade}}{{#end}}',
            28,
          ),
          centered('{{qr /verify size=2cm}}', 20),
        ],
      },
    ])
  },
  data: {
    sender: { logo: png },
    name: 'Zoë Example',
    course: 'Safe Lifting',
    grade: 1.3,
    verify: 'https://example.org/v/1',
  },
  expected: ['Certificate', 'ZOË EXAMPLE', 'has passed Safe Lifting with distinction'],
  absent: ['with grade'],
}

const terms: RealTemplate = {
  name: 'list-heavy terms',
  build: () =>
    packed([
      {
        children: [
          new Paragraph({ text: 'Terms', heading: HeadingLevel.TITLE }),
          line('{{#each /chapters}}'),
          numbered('{{./title}}'),
          line('{{#each ./rules}}'),
          numbered('{{./text}}', 1),
          line('{{#each ./exceptions}}'),
          numbered('{{.}}', 2),
          line('{{#end}}'),
          line('{{#end}}'),
          line('{{#end}}'),
          line('Also:'),
          numbered('{{#each /extras}}{{.}}{{#end}}', 0, 'dots'),
          numbered('{{#if /never}}never{{#end}}', 0, 'dots'),
          numbered('the end', 0, 'dots'),
        ],
      },
    ]),
  data: {
    chapters: [
      {
        title: 'General',
        rules: [
          { text: 'Be kind', exceptions: ['on Mondays', 'at night'] },
          { text: 'Be brief', exceptions: [] },
        ],
      },
      { title: 'Special', rules: [{ text: 'Pay', exceptions: [] }] },
    ],
    extras: ['first', 'second'],
    never: false,
  },
  expected: [
    'Terms',
    '1. General',
    '1.1 Be kind',
    '(a) on Mondays',
    '(b) at night',
    '1.2 Be brief',
    '2. Special',
    '2.1 Pay',
    'Also:',
    'first',
    'second',
    'the end',
  ],
  absent: ['never'],
}

export const realTemplates: readonly RealTemplate[] = [letter, policy, invoice, contract, certificate, terms]
