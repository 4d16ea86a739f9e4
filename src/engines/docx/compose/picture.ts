/** Writes the pictures of tags. */

import type { Conformance } from '../../ooxml/namespaces.ts'
import type { BlipRest } from '../plan/items.ts'
import type { StepOf } from '../program/ops.ts'
import { drawingXml, withSvg } from './drawing.ts'
import { mediaPart } from './pictures.ts'
import { reportMissing, type StepContext } from './step-context.ts'
import { describeExpression, evaluate, isTruthy, pointerOf } from './values.ts'

/** The XML that the step writes; undefined, and reported, if there is no picture. */
export function pictureXml({ picture: tag, form, place }: StepOf<'picture'>, context: StepContext): string | undefined {
  const { composition, scope, relationships } = context
  const value = evaluate(tag.value, scope)
  if (value === undefined || !isTruthy(value)) {
    reportMissing({ value: tag.value, place }, context)
    return undefined
  }
  const loaded = composition.pictures.load(tag, value)
  if (!loaded.ok) {
    const message = `${describeExpression(tag.value, scope)} ${loaded.message}.`
    composition.report('docx.bad_picture', place, message, loaded.hint)
    return undefined
  }
  const { picture } = loaded
  composition.pictures.used.set(picture.hash, picture)
  composition.marking?.picture(mediaPart(picture), place, pointerOf(tag.value, scope))
  const relationshipId = relationships.pictureId(picture)
  const svgId = picture.drawing && relationships.drawingId(picture.drawing)
  if (form.kind === 'embed') return relationshipId + restOfBlip(form.rest, svgId, relationships.conformance)
  if (form.kind !== 'run') return undefined
  const drawing = drawingXml(picture, tag.size, {
    relationshipId,
    ...(svgId === undefined ? {} : { svgId }),
    drawingId: composition.ids.drawing(),
    conformance: relationships.conformance,
    prefix: form.prefix,
    declares: form.declares,
  })
  return `</${form.prefix}t>${drawing}<${form.prefix}t${form.declares ?? ''} xml:space="preserve">`
}

/** What follows the reference in a placeholder. A picture of VML has no place for a drawing. */
function restOfBlip(rest: BlipRest | undefined, svgId: string | undefined, conformance: Conformance): string {
  if (rest === undefined) return ''
  if (svgId === undefined) return rest.plain
  return rest.opening + withSvg(svgId, conformance, rest.isList ? 'inList' : 'alone') + rest.closing
}
