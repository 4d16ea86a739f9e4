import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { FontLibrary } from '../../../../src/engines/pdf/font/library.ts'
import type { NumberingLevel, Paragraph, StyleDefinition, Styles } from '../../../../src/engines/pdf/model/document.ts'
import type { ParagraphProps } from '../../../../src/engines/pdf/model/properties.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { Cascade } from '../../../../src/engines/pdf/style/cascade.ts'

export function style(id: string, more: Partial<StyleDefinition> = {}): StyleDefinition {
  return {
    ...{ id, name: id, type: 'paragraph', isDefault: false, paragraph: {}, run: {}, table: {}, cell: {}, row: {} },
    conditions: new Map(),
    ...more,
  }
}

export function level(more: Partial<NumberingLevel> = {}): NumberingLevel {
  return {
    ...{ start: 1, format: 'decimal', text: '%1.', legal: false, suffix: 'tab', align: 'left', paragraph: {}, run: {} },
    ...more,
  }
}

export interface Said {
  styles?: readonly StyleDefinition[]
  defaults?: Partial<Styles>
  /** The levels of lists by their ids. */
  lists?: Readonly<Record<string, (NumberingLevel | undefined)[]>>
  tableStyleSize?: boolean
  fonts?: FontLibrary
}

/** The cascade of a document that says this, and what it reports. */
export function cascadeOf({ styles = [], defaults = {}, lists = {}, tableStyleSize = false, fonts }: Said = {}) {
  const report = new Report()
  const cascade = new Cascade(
    {
      ...{ byId: new Map(styles.map((one) => [one.id, one])), frames: new Map(), docParagraph: {}, docRun: {} },
      ...defaults,
    },
    {
      instances: new Map(
        Object.entries(lists).map(([id, levels]) => [id, { shared: id, levels, startOverrides: new Map() }]),
      ),
    },
    fonts ?? embeddedFonts(),
    report,
    { tableStyleSize, compressesPunctuation: true },
  )
  return { cascade, report }
}

export function paragraph(props: ParagraphProps = {}): Paragraph {
  return { kind: 'paragraph', props, markProps: {}, content: [], number: 1 }
}
