/** The workbook in which Word keeps the data of a chart. */
import { limits } from '../../../core/limits.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { resolveTarget } from '../../ooxml/targets.ts'
import { childElements, childNamed, type XmlDocument, type XmlElement } from '../../ooxml/xml.ts'
import { parseXmlDocument } from '../../ooxml/xml-parser.ts'
import { readZip, type ZipArchive } from '../../ooxml/zip.ts'
import { type ChartSeries, rangeOf } from './chart-series.ts'

export interface WorkbookForm {
  part: string
  archive: ZipArchive
  sheet: { part: string; document: XmlDocument }
  /** Tables of the sheet (ECMA-376 part 1, 18.5), which name the range of their cells. */
  tables: { part: string; document: XmlDocument }[]
  /** Columns by their letters, and the rows that the template's data is in. */
  category: string | undefined
  values: (string | undefined)[]
  from: number
  to: number
}

type WorkbookResult = { ok: true; form: WorkbookForm } | { ok: false; message: string; hint: string }

/** Undefined for a chart without a workbook inside of the document. */
export function readWorkbook(
  opened: OoxmlPackage,
  chart: string,
  root: XmlElement,
  series: readonly ChartSeries[],
): WorkbookResult | undefined {
  const id = childNamed(root, 'c:externalData')?.attributes['r:id']
  const relation = opened.relationships(chart).find((one) => one.id === id && !one.external)
  if (id === undefined || relation === undefined) return undefined
  const bytes = opened.readBytes(relation.target)
  const archive = bytes.ok ? readZip(bytes.value) : bytes
  const ranges = series.flatMap(({ category, values }) => [category, values].flatMap((one) => rangeOf(one) ?? []))
  const [first] = ranges
  // Literals are in no cells.
  if (first === undefined) return undefined
  if (!archive.ok) return unread
  if (archive.value.names.includes('xl/calcChain.xml')) {
    return { ok: false, message: 'has a workbook that calculates', hint: 'Put plain numbers into its cells.' }
  }
  const sheet = sheetNamed(
    archive.value,
    first.sheet
      .replace(/!$/, '')
      .replace(/^'(.*)'$/, '$1')
      .replaceAll("''", "'"),
  )
  if (sheet === undefined) return unread
  const tables = relatedParts(archive.value, sheet.part, 'table').flatMap((part) => {
    const document = readPart(archive.value, part)
    return document === undefined ? [] : [{ part, document }]
  })
  const form: WorkbookForm = {
    part: relation.target,
    archive: archive.value,
    sheet,
    tables,
    category: series.flatMap(({ category }) => rangeOf(category)?.column ?? [])[0],
    values: series.map(({ values }) => rangeOf(values)?.column),
    from: first.from,
    to: Math.max(...ranges.map(({ to }) => to)),
  }
  return { ok: true, form }
}

const unread: WorkbookResult = {
  ok: false,
  message: 'has a workbook that can’t be read',
  hint: 'Open its data in Word once (Edit Data), and save the template again.',
}

function sheetNamed(archive: ZipArchive, name: string): WorkbookForm['sheet'] | undefined {
  const [main = ''] = relatedParts(archive, '', 'officeDocument')
  const workbook = readPart(archive, main)
  const sheets = workbook === undefined ? undefined : childNamed(workbook.root, 'sheets')
  const all = sheets === undefined ? [] : childElements(sheets, 'sheet')
  const found = name === '' ? all[0] : all.find(({ attributes }) => attributes.name === name)
  const target = relationsOf(archive, main).find(({ id }) => id === found?.attributes['r:id'])?.target
  const document = target === undefined ? undefined : readPart(archive, target)
  return target === undefined || document === undefined ? undefined : { part: target, document }
}

function readPart(archive: ZipArchive, part: string): XmlDocument | undefined {
  const entry = archive.entry(part)
  if (entry === undefined || entry.inflatedBytes > limits.packageXmlBytes) return undefined
  const bytes = archive.read(part)
  const document = bytes.ok ? parseXmlDocument(bytes.value, part) : bytes
  return document.ok ? document.value : undefined
}

function relationsOf(archive: ZipArchive, part: string): { id: string; type: string; target: string }[] {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, Math.max(0, slash))
  const document = readPart(archive, `${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`)
  if (document === undefined) return []
  return childElements(document.root, 'Relationship').map(({ attributes }) => ({
    id: attributes.Id ?? '',
    type: attributes.Type ?? '',
    target: resolveTarget(attributes.Target ?? '', folder),
  }))
}

function relatedParts(archive: ZipArchive, part: string, word: string): string[] {
  const type = relationshipType(word)
  return relationsOf(archive, part).flatMap((one) => (one.type === type ? [one.target] : []))
}
