import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import type { Styles } from '../model/document.ts'
import type { CellProps, ParagraphProps, RunProps, TableProps } from '../model/properties.ts'
import type { Report } from '../report.ts'
import { withChoices } from './markup.ts'
import { readParagraphProps, readRunProps } from './properties.ts'
import { readCellProps, readTableProps } from './table-properties.ts'
import type { Theme } from './theme.ts'
import { isOn } from './values.ts'

/** Properties of runs whose text is drawn as though they were not there. */
const plainLooks: ReadonlySet<string> = new Set([
  'w:outline',
  'w:shadow',
  'w:emboss',
  'w:imprint',
  'w:fitText',
  'w14:glow',
  'w14:shadow',
  'w14:reflection',
  'w14:textOutline',
  'w14:textFill',
  'w14:scene3d',
  'w14:props3d',
])

/** The source of a story's looks. */
export interface LookSource {
  readonly part: string
  /** The part's XML, by which equal properties are found without reading them. */
  readonly source: string
  readonly theme: Theme
  readonly report: Report
  readonly styles?: Styles | undefined
}

/** Reads properties once for all elements that state the same, which then share one object. */
export class Looks {
  private readonly runs = new Known<RunProps>()
  /** For runs that state the same in other words. */
  private readonly equal = new Map<string, RunProps>()
  private readonly unlinked = new Map<RunProps, RunProps>()
  private readonly paragraphs = new Known<ParagraphProps>()
  private readonly cells = new Known<CellProps>()
  private readonly tables = new Known<TableProps>()

  constructor(private readonly from: LookSource) {}

  /**
   * Runs of the same look share one object, which makes resolving styles a lookup and their text one stretch. They may
   * be written differently: editors split runs by hints and proofing marks, which don't change the drawing.
   */
  run(stated: XmlElement | undefined): RunProps {
    return this.read(this.runs, stated, (element) => {
      const props = readRunProps(element, this.from.theme)
      const look = JSON.stringify(props)
      const same = this.equal.get(look)
      if (!same) this.equal.set(look, props)
      this.reportPlain(element)
      return same ?? props
    })
  }

  /** The look of a run in a table of contents, where Word shows nothing of the style of links. */
  inContents(props: RunProps): RunProps {
    if (props.style === undefined) return props
    if (this.from.styles?.byId.get(props.style)?.name.toLowerCase() !== 'hyperlink') return props
    let plain = this.unlinked.get(props)
    if (!plain) {
      const { style, ...own } = props
      plain = own
      this.unlinked.set(props, plain)
    }
    return plain
  }

  paragraph(stated: XmlElement | undefined): ParagraphProps {
    return this.read(this.paragraphs, stated, (element) => readParagraphProps(element, this.from.theme))
  }

  table(stated: XmlElement | undefined): TableProps {
    return this.read(this.tables, stated, (element) => readTableProps(element, this.from.theme))
  }

  cell(stated: XmlElement | undefined): CellProps {
    return this.read(this.cells, stated, (element) => readCellProps(element, this.from.theme))
  }

  private read<T>(
    known: Known<T>,
    element: XmlElement | undefined,
    read: (element: XmlElement | undefined) => T,
  ): T {
    const { source } = this.from
    return element
      ? known.find(source, element.openEnd, element.closeStart, () => read(withChoices(element)))
      : known.find(source, 0, 0, () => read(undefined))
  }

  /** Names the looks of text that have no counterpart here. */
  private reportPlain(element: XmlElement | undefined): void {
    for (const child of element ? childElements(element) : []) {
      if (plainLooks.has(child.name) && isOn(child.attributes['w:val']))
        this.from.report.unsupported(this.from.part, child.name, 'the text is drawn without it')
    }
  }
}

interface Entry<T> {
  readonly text: string
  readonly props: T
}

/** The rows of a table repeat what their cells state: of so many texts, nearly always one comes again. */
const RECENT = 6

/** Properties by the text that states them. */
class Known<T> {
  private readonly entries = new Map<string, Entry<T>>()
  private readonly recent: Entry<T>[] = []
  private turn = 0

  /** The properties that a stretch of the source states; comparing it with recent ones is faster than looking it up. */
  find(source: string, from: number, to: number, read: () => T): T {
    for (const entry of this.recent) {
      if (entry.text.length === to - from && source.startsWith(entry.text, from)) return entry.props
    }
    const found = this.lookUp(source.slice(from, to), read)
    this.recent[this.turn] = found
    this.turn = (this.turn + 1) % RECENT
    return found.props
  }

  private lookUp(text: string, read: () => T): Entry<T> {
    let entry = this.entries.get(text)
    if (!entry) {
      entry = { text, props: read() }
      this.entries.set(text, entry)
    }
    return entry
  }
}
