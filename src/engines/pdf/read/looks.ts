import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import type { Styles } from '../model/document.ts'
import type { CellProps, ParagraphProps, RunProps, TableProps } from '../model/properties.ts'
import type { Report } from '../report.ts'
import { withChoices } from './markup.ts'
import { readParagraphProps, readRunProps } from './properties.ts'
import { readCellProps, readTableProps } from './table-properties.ts'
import type { Theme } from './theme.ts'
import { isOn } from './values.ts'

/** Properties of runs that are not drawn: their text looks as if it had none of them. */
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
  /** By content, for runs whose XML differs. */
  private readonly equal = new Map<string, RunProps>()
  private readonly unlinked = new Map<RunProps, RunProps>()
  private readonly paragraphs = new Known<ParagraphProps>()
  private readonly cells = new Known<CellProps>()
  private readonly tables = new Known<TableProps>()

  constructor(private readonly from: LookSource) {}

  /**
   * Runs of the same look share one object, which makes resolving styles a lookup and their text one stretch. Their XML
   * may differ: editors split runs by hints and proofing marks, which don't change the drawing.
   */
  run(stated: XmlElement | undefined): RunProps {
    return this.runs.find(this.from.source, stated) ?? this.runs.keep(this.from.source, stated, this.readRun(stated))
  }

  private readRun(stated: XmlElement | undefined): RunProps {
    const element = stated && withChoices(stated)
    const props = readRunProps(element, this.from.theme)
    const look = JSON.stringify(props)
    const same = this.equal.get(look)
    if (!same) this.equal.set(look, props)
    this.reportPlain(element)
    return same ?? props
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
    return this.read(this.paragraphs, stated, readParagraphProps)
  }

  table(stated: XmlElement | undefined): TableProps {
    return this.read(this.tables, stated, readTableProps)
  }

  cell(stated: XmlElement | undefined): CellProps {
    return this.read(this.cells, stated, readCellProps)
  }

  private read<T>(
    known: Known<T>,
    stated: XmlElement | undefined,
    read: (element: XmlElement | undefined, theme: Theme) => T,
  ): T {
    const { source, theme } = this.from
    return known.find(source, stated) ?? known.keep(source, stated, read(stated && withChoices(stated), theme))
  }

  /** Reports looks of text that have no counterpart here. */
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

/** The rows of a table repeat their cells' properties: nearly always, the next ones are among this many recent ones. */
const RECENT = 6

/** Properties by the text inside the elements that state them. */
class Known<T> {
  private readonly entries = new Map<string, Entry<T>>()
  private readonly recent: Entry<T>[] = []
  private turn = 0

  /** The properties that an element states, if they are known; comparing with recent ones is faster than looking them up. */
  find(source: string, element: XmlElement | undefined): T | undefined {
    const from = element ? element.openEnd : 0
    const to = element ? element.closeStart : 0
    for (const entry of this.recent) {
      if (entry.text.length === to - from && source.startsWith(entry.text, from)) return entry.props
    }
    const known = this.entries.get(source.slice(from, to))
    if (known) this.note(known)
    return known?.props
  }

  keep(source: string, element: XmlElement | undefined, props: T): T {
    const entry = { text: element ? source.slice(element.openEnd, element.closeStart) : '', props }
    this.entries.set(entry.text, entry)
    this.note(entry)
    return props
  }

  private note(entry: Entry<T>): void {
    this.recent[this.turn] = entry
    this.turn = (this.turn + 1) % RECENT
  }
}
