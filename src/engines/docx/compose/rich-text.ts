/** Writes the rich text of tags. */
import { relationshipUri } from '../../ooxml/namespaces.ts'
import { hasIllegalCharacter } from '../../ooxml/xml-write.ts'
import type { StepOf } from '../program/ops.ts'
import type { PictureSize } from '../scan/syntax.ts'
import { encodeWhole, isSafeAddress, linkHint } from './addresses.ts'
import { drawingXml } from './drawing.ts'
import type { RichBlock } from './rich/model.ts'
import { type RichImage, type RichSink, writeRichBlocks, writeRichRuns } from './rich/write.ts'
import { reportMissing, type StepContext } from './step-context.ts'
import { describeExpression, evaluate, isMissing, pointerOf, scalarText } from './values.ts'

/** The XML to write after `previous`, the XML before it. Undefined, and reported, if there is none. */
export function richTextXml(op: StepOf<'rich'>, context: StepContext, previous: string): string | undefined {
  const { marking } = context.composition
  const { place, close, open } = op.form
  const blocks = readBlocks(op, context)
  if (blocks === undefined) return undefined
  const sink = new Sink(op, context)
  if (place.paragraph !== undefined) {
    const isAfterTable = /<\/(?:\w+:)?tbl>$/.test(previous)
    const xml = writeRichBlocks(blocks, { ...place, paragraph: place.paragraph, isAfterTable }, sink)
    return marking?.runs(xml, op.place, pointerOf(op.value, context.scope)) ?? xml
  }
  const runs = writeRichRuns(blocks, place, sink)
  if (runs !== undefined) {
    return close + (marking?.runs(runs, op.place, pointerOf(op.value, context.scope)) ?? runs) + open
  }
  const message = 'has paragraphs, lists or tables, for which a line has no place'
  report(op, context, message, 'Write the tag alone into a paragraph.')
  return undefined
}

function readBlocks(op: StepOf<'rich'>, context: StepContext): RichBlock[] | undefined {
  const value = evaluate(op.value, context.scope)
  if (isMissing(value)) return reportMissing(op, context)
  const text = scalarText(value)
  if (text === undefined) {
    return report(op, context, 'is not a single text', 'Give HTML or Markdown as one text.')
  }
  if (hasIllegalCharacter(text.replace(/\r\n?/g, '\n'))) {
    return report(op, context, 'holds a control character that a document cannot carry', 'Remove it from the data.')
  }
  const read = context.composition.richTexts.read(text, op.format)
  if (!read.ok) return report(op, context, read.message, read.hint)
  if (read.lost !== undefined) remarkLost(read.lost, op, context)
  return read.blocks
}

/** HTML reads `<LOD>` and `<https://…>` as elements, and shows nothing of them. */
function remarkLost(lost: string, op: StepOf<'rich'>, { composition, scope }: StepContext): void {
  const shown = lost.length <= 40 ? lost : `${lost.slice(0, 40).toWellFormed()}…`
  const message = `${describeExpression(op.value, scope)} has “${shown}”, which is no element of HTML: it is not shown.`
  const hint = 'Write &lt; for the sign in HTML; a text that begins with it is Markdown with format=markdown.'
  composition.remark('docx.lost_text', op.place, message, hint)
}

/** `message` continues a sentence that begins with the value's pointer. */
function report(op: StepOf<'rich'>, { composition, scope }: StepContext, message: string, hint: string): undefined {
  const pointer = describeExpression(op.value, scope)
  composition.report('docx.bad_rich_text', op.place, `${pointer} ${message}.`, hint)
}

/** CSS pixels, 96 an inch. */
const emuPerPixel = 9_525

/** Takes the links and pictures of a rich text into the composition. */
class Sink implements RichSink {
  readonly styles
  readonly numbering

  constructor(
    private readonly op: StepOf<'rich'>,
    private readonly context: StepContext,
  ) {
    this.styles = context.composition.template.styles
    this.numbering = context.composition.numbering
  }

  openLink(address: string): string | undefined {
    const { relationships } = this.context
    if (!isSafeAddress(address) || address.startsWith('#')) {
      const shown = address.slice(0, 80)
      this.report('docx.bad_link', `${this.pointer} has a link to “${shown}”, which is not allowed.`, linkHint)
      return undefined
    }
    const id = relationships.linkId(encodeWhole(address))
    const uri = relationshipUri(relationships.conformance)
    return `<w:hyperlink xmlns:r="${uri}" r:id="${id}" w:history="1">`
  }

  drawing({ source, alternative, widthPx, heightPx }: RichImage): string | undefined {
    const { composition, relationships } = this.context
    const loaded = composition.pictures.load({ kind: 'image' }, source)
    if (!loaded.ok) {
      this.report('docx.bad_picture', `A picture in ${this.pointer} ${loaded.message}.`, loaded.hint)
      return undefined
    }
    const { picture } = loaded
    composition.pictures.used.set(picture.hash, picture)
    const size: PictureSize = {}
    if (widthPx !== undefined) size.widthEmu = Math.round(widthPx * emuPerPixel)
    if (heightPx !== undefined) size.heightEmu = Math.round(heightPx * emuPerPixel)
    const { drawing } = picture
    return drawingXml(picture, size, {
      relationshipId: relationships.pictureId(picture),
      ...(drawing === undefined ? {} : { svgId: relationships.drawingId(drawing) }),
      drawingId: composition.ids.drawing(),
      conformance: relationships.conformance,
      prefix: 'w:',
      alternative,
    })
  }

  private get pointer(): string {
    return describeExpression(this.op.value, this.context.scope)
  }

  private report(code: string, message: string, hint: string): void {
    this.context.composition.report(code, this.op.place, message, hint)
  }
}
