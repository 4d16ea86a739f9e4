import { limits } from '../../../../core/limits.ts'
import { ARTIFACT, type Frame, moveFrames } from '../../frame/frame.ts'
import type { Inline, NumberingLevel, RelativeExtent, Room } from '../../model/document.ts'
import { settleAnchored, takePlacedOnPage } from '../anchored.ts'
import { addNode, type Context, inFrame, reportBoxDepth, reportCutOff } from '../context.ts'
import { extentOf } from '../drawing/extent.ts'
import { layoutGraphic } from '../drawing/graphic.ts'
import { imageFrames } from '../drawing/picture.ts'
import { isSeen } from '../slice.ts'
import type { InlineObject } from './plan.ts'

/** Where an object belongs. */
export interface ObjectPlace {
  /** The structure node of its paragraph. */
  parent: number
  /** Width of objects that are as wide as the text, in points. */
  width: number
  surroundings: 'cell' | 'page'
}

/** Lays out a picture, a drawing or a text box; frames are relative to its top left. Undefined when it has no extent. */
export function layoutObject(
  context: Context,
  inline: Extract<Inline, { kind: 'image' | 'textbox' | 'graphic' }>,
  { parent, width: available, surroundings }: ObjectPlace,
): InlineObject | undefined {
  if (inline.kind === 'image') {
    const picture = layoutImage(context, inline, parent, surroundings === 'cell' ? available : Number.POSITIVE_INFINITY)
    return withRoom(context, picture, inline.room, inline.image.rotation)
  }
  if (inline.kind === 'graphic') {
    const drawing = layoutDrawing(context, inline, parent, available)
    return withRoom(context, drawing, inline.room, inline.graphic.rotation)
  }
  return layoutBox(context, inline, parent, available)
}

/** A frame or a floating table. Objects in its text that are positioned on the page stay there. */
function layoutBox(
  context: Context,
  inline: Extract<Inline, { kind: 'textbox' }>,
  parent: number,
  available: number,
): InlineObject | undefined {
  if (context.depth >= limits.renderBoxDepth) {
    reportBoxDepth(context)
    return undefined
  }
  let width = inline.width > 0 ? inline.width : available
  const space = Math.max(8, inline.share === undefined ? width : available)
  const laid = context.inner.stack(inFrame(context), inline.blocks, { width: space, parent })
  const anchored = takePlacedOnPage(laid.slices)
  const stack = settleAnchored(laid, space)
  if (inline.share !== undefined) width = available * inline.share
  else if (inline.width <= 0) width = extentOf(stack.slices)
  const height =
    inline.height <= 0 ? stack.height : inline.autoHeight ? Math.max(inline.height, stack.height) : inline.height
  const content: Frame[] = []
  let y = 0
  for (const slice of stack.slices) {
    y += slice.before
    moveFrames(slice.frames, 0, y)
    // Text that begins below the box is left out: hidden text would still be found and read aloud.
    if (y < height) content.push(...slice.frames)
    else if (isSeen(slice)) reportCutOff(context, 'frame')
    y += slice.height
  }
  const frames: Frame[] = y > height + 0.5 ? [{ kind: 'clip', x: 0, y: 0, width, height, frames: content }] : content
  const notes = stack.slices.flatMap((slice) => slice.notes ?? [])
  return {
    ...{ width, height, frames },
    ...(notes.length > 0 ? { notes } : {}),
    ...(anchored.length > 0 ? { anchored } : {}),
  }
}

/**
 * Adds the room that an object's effects need around it on the line. From Word 2010 on, the room is stated for the
 * object as it lies after rotation, if that is nearer to a quarter turn.
 */
function withRoom(
  context: Context,
  object: InlineObject | undefined,
  room: Room | undefined,
  rotation: number,
): InlineObject | undefined {
  if (!object || !room) return object
  const lies = Math.abs(rotation % 180)
  const isLying = lies >= 45 && lies < 135 && context.model.settings.compatibility.turnsRoomWithObject
  const [width, height] = isLying ? [object.height, object.width] : [object.width, object.height]
  moveFrames(object.frames, (width - object.width) / 2 + room.left, (height - object.height) / 2 + room.top)
  return {
    ...object,
    width: Math.max(0, width + room.left + room.right),
    height: Math.max(0, height + room.top + room.bottom),
  }
}

/** Pictures are bullets of one height, whatever their own, with a little room at either side. */
const BULLET_HEIGHT = 7.9
const BULLET_MARGIN = 0.5

/** The picture that is a level's bullet, where it has one that the package holds. */
export function layoutBulletPicture(context: Context, level: NumberingLevel, parent: number): InlineObject | undefined {
  const { picture } = level
  const part = picture && context.model.bulletParts.get(picture.relation)
  if (!picture || part === undefined) return undefined
  const width = BULLET_HEIGHT * picture.aspect
  const node = context.artifact ? ARTIFACT : addNode(context, { type: 'Figure', parent, alt: '•' })
  const image = { part, crop: { left: 0, top: 0, right: 0, bottom: 0 }, alt: '•' }
  const frames = imageFrames({ context, width, height: BULLET_HEIGHT, node }, image)
  moveFrames(frames, BULLET_MARGIN, 0)
  return { width: width + 2 * BULLET_MARGIN, height: BULLET_HEIGHT, frames }
}

function layoutImage(
  context: Context,
  inline: Extract<Inline, { kind: 'image' }>,
  parent: number,
  available: number,
): InlineObject | undefined {
  const { image } = inline
  if (image.width <= 0 || image.height <= 0) return undefined
  // A picture wider than its cell is drawn smaller, as Word does; in the body it runs over the margin.
  const factor = inline.anchor ? 1 : Math.min(1, Math.max(8, available) / image.width)
  const width = image.width * factor
  const height = image.height * factor
  const node = context.artifact
    ? ARTIFACT
    : addNode(context, { type: 'Figure', parent, alt: image.alt, placement: 'Block' })
  const frames = imageFrames({ context, width, height, node }, image)
  for (const frame of frames) if (frame.kind === 'image') frame.rotation = image.rotation
  return { width, height, frames }
}

function layoutDrawing(
  context: Context,
  inline: Extract<Inline, { kind: 'graphic' }>,
  parent: number,
  available: number,
): InlineObject | undefined {
  const stated = inline.relative ? relativeTo(context, inline.graphic, inline.relative, available) : inline.graphic
  if (stated.width <= 0 && stated.height <= 0) return undefined
  return layoutGraphic(context, stated, parent)
}

function relativeTo(
  context: Context,
  graphic: Extract<Inline, { kind: 'graphic' }>['graphic'],
  { width, height }: RelativeExtent,
  available: number,
) {
  const { section } = context
  const { left, right, top, bottom, gutter } = section.margins
  const inner = section.width - left - right - gutter
  const across: Record<string, number> = {
    column: available,
    page: section.width,
    margin: inner,
    leftMargin: left,
    rightMargin: right,
  }
  const between = section.height - Math.abs(top) - Math.abs(bottom)
  const down: Record<string, number> = {
    page: section.height,
    margin: between,
    topMargin: Math.abs(top),
    bottomMargin: Math.abs(bottom),
  }
  return {
    ...graphic,
    ...(width ? { width: (across[width.from] ?? inner) * width.share } : {}),
    ...(height ? { height: (down[height.from] ?? between) * height.share } : {}),
  }
}
