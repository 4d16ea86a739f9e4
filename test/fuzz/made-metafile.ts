/**
 * Metafiles of records whose kinds and lengths are right, with values as authors' programs write them and, now and then, ones
 * that they never would. Changing bytes blindly seldom gets past the first record.
 */
import { EMR } from '../../src/engines/pdf/layout/metafile/emf-records.ts'
import { META } from '../../src/engines/pdf/layout/metafile/wmf-records.ts'
import type { Random } from '../../src/engines/schema/generate/random.ts'
import { bareWmf, emf, emfRecord, floats, shorts, wmf, wmfBytes, words } from '../engines/pdf/metafile-files.ts'
import { madeBitmap } from './made-bitmap.ts'

/** Coordinates: mostly on the picture, sometimes beyond all measure. */
function place(random: Random): number {
  return random.chance(95) ? random.below(1_200) - 100 : random.pick([0, -1, 0x7fff, -0x8000, 0x7fffffff, -0x80000000])
}

function places(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => place(random))
}

/** How many things follow, or rather not. */
function stated(random: Random, count: number): number {
  return random.chance(92) ? count : random.pick([0, count + 1, count * 2, 0xffff, 0xffffffff])
}

const handle = (random: Random) =>
  random.chance(75) ? 1 + random.below(4) : random.pick([0x80000000 + random.below(20), 0xffffffff, 0])
const color = (random: Random) => random.bits() & 0xffffff
const operation = (random: Random) => random.pick([0xcc0020, 0x8800c6, 0xf00021, 0xff0062, 0x42, 0xee0086, 0x1ff0000])

function matrix(random: Random): number[] {
  const member = () =>
    random.chance(90)
      ? random.pick([0, 1, -1, 0.5, 2, 0.001])
      : random.pick([1e30, -1e30, Number.NaN, Number.POSITIVE_INFINITY])
  return floats(member(), member(), member(), member(), member() * 10, member() * 10)
}

function face(random: Random): string {
  return random.pick(['Arial', 'Symbol', 'Wingdings', 'Times New Roman', '', 'Nothing', '宋体'])
}

function utf16(text: string, units: number): number[] {
  return shorts(...Array.from({ length: units }, (_, index) => text.charCodeAt(index) || 0))
}

const sentence = (random: Random) => 'Zoë 12 – \u05d0\u05d1 \ud83d\ude00 fi \u0301  '.slice(0, random.below(22))

/** The body of a record of an EMF, after its type and size. */
type Body = (random: Random) => number[]

const rectangle: Body = (random) => words(...places(random, 4))
const point: Body = (random) => words(...places(random, 2))
const none: Body = () => []

function points(narrow: boolean): Body {
  return (random) => {
    const count = random.below(14)
    const values = places(random, count * 2)
    return [...rectangle(random), ...words(stated(random, count)), ...(narrow ? shorts : words)(...values)]
  }
}

function lists(narrow: boolean): Body {
  return (random) => {
    const counts = Array.from({ length: random.below(5) }, () => random.below(6))
    const all = counts.reduce((sum, count) => sum + count, 0)
    return [
      ...rectangle(random),
      ...words(stated(random, counts.length), stated(random, all), ...counts.map((count) => stated(random, count))),
      ...(narrow ? shorts : words)(...places(random, all * 2)),
    ]
  }
}

/** A bitmap behind fixed values, and where the record says that it is. */
function withBitmap(values: (random: Random, at: number[]) => number[]): Body {
  return (random) => {
    const { header, pixels } = madeBitmap(random)
    const start = 8 + values(random, [0, 0, 0, 0]).length
    const at = [start, header.length, start + header.length, pixels.length].map((value) => stated(random, value))
    return [...values(random, random.chance(90) ? at : [0, 0, 0, 0]), ...header, ...pixels]
  }
}

const blit = (rest: number): Body =>
  withBitmap((random, at) => [
    ...words(...places(random, 4), ...places(random, 4), operation(random), 0, 0),
    ...floats(1, 0, 0, 1, 0, 0),
    ...words(0, 0, ...at, ...places(random, rest)),
  ])

/** An ExtTextOut: bounds, mode, scales, then the text's place, its length and where it and its advances are. */
function text(isWide: boolean): Body {
  return (random) => {
    const said = sentence(random)
    const bytes = isWide ? utf16(said, said.length) : [...Buffer.from(said, 'latin1')]
    const filled = [...bytes, ...new Array<number>((4 - (bytes.length % 4)) % 4).fill(0)]
    const textAt = 76
    const advancesAt = random.chance(70) ? textAt + filled.length : 0
    return [
      ...words(...places(random, 4), 1),
      ...floats(1, 1),
      ...words(...places(random, 2), stated(random, said.length), stated(random, textAt)),
      ...words(random.pick([0, 2, 4, 0x10, 6]), ...places(random, 4), stated(random, advancesAt)),
      ...filled,
      ...(advancesAt === 0 ? [] : words(...Array.from(said, () => random.below(60)))),
    ]
  }
}

const bodies: Readonly<Record<number, Body>> = {
  ...Object.fromEntries(
    [EMR.polyBezier, EMR.polygon, EMR.polyline, EMR.polyBezierTo, EMR.polylineTo].map((type) => [type, points(false)]),
  ),
  ...Object.fromEntries(
    [EMR.polyBezier16, EMR.polygon16, EMR.polyline16, EMR.polyBezierTo16, EMR.polylineTo16].map((type) => [
      type,
      points(true),
    ]),
  ),
  ...Object.fromEntries([EMR.polyPolyline, EMR.polyPolygon].map((type) => [type, lists(false)])),
  ...Object.fromEntries([EMR.polyPolyline16, EMR.polyPolygon16].map((type) => [type, lists(true)])),
  ...Object.fromEntries(
    [EMR.beginPath, EMR.endPath, EMR.closeFigure, EMR.abortPath, EMR.saveDc].map((type) => [type, none]),
  ),
  ...Object.fromEntries(
    [EMR.fillPath, EMR.strokePath, EMR.strokeAndFillPath, EMR.ellipse, EMR.rectangle, EMR.intersectClipRect].map(
      (type) => [type, rectangle],
    ),
  ),
  ...Object.fromEntries(
    [
      EMR.setWindowExtentEx,
      EMR.setWindowOriginEx,
      EMR.setViewportExtentEx,
      EMR.setViewportOriginEx,
      EMR.moveToEx,
      EMR.lineTo,
    ].map((type) => [type, point]),
  ),
  ...Object.fromEntries(
    [EMR.arc, EMR.chord, EMR.pie].map((type) => [type, (random: Random) => words(...places(random, 8))]),
  ),
  [EMR.roundRect]: (random) => words(...places(random, 6)),
  [EMR.setMapMode]: (random) => words(1 + random.below(9)),
  [EMR.setPolyFillMode]: (random) => words(random.below(3)),
  [EMR.setTextAlign]: (random) => words(random.pick([0, 1, 2, 6, 8, 24, 25, 30])),
  [EMR.setTextColor]: (random) => words(color(random)),
  [EMR.setBackgroundColor]: (random) => words(color(random)),
  [EMR.restoreDc]: (random) => words(random.pick([-1, -1, -1, 1, 0, -5, 0x7fffffff])),
  [EMR.setWorldTransform]: matrix,
  [EMR.modifyWorldTransform]: (random) => [...matrix(random), ...words(random.below(6))],
  [EMR.selectObject]: (random) => words(handle(random)),
  [EMR.deleteObject]: (random) => words(handle(random)),
  [EMR.createPen]: (random) => words(handle(random), random.bits() & 0xf0f, random.below(40), 0, color(random)),
  [EMR.extCreatePen]: (random) =>
    words(handle(random), 0, 0, 0, 0, random.bits() & 0x3ff0f, random.below(40), 0, color(random), 0, 0),
  [EMR.createBrushIndirect]: (random) => words(handle(random), random.below(4), color(random), random.below(6)),
  [EMR.createMonoBrush]: (random) => words(handle(random)),
  [EMR.createDibPatternBrush]: (random) => words(handle(random)),
  [EMR.extCreateFontIndirect]: (random) => [
    ...words(handle(random), random.pick([-12, 12, 0, -100, 400, -0x80000000]), 0),
    ...words(random.pick([0, 0, 900, 450, -1]), 0, random.pick([400, 700, 0xffffffff])),
    ...[random.below(2), random.below(2), 0, random.pick([0, 2, 0x86]), 0, 0, 0, 0],
    ...utf16(face(random), 32),
  ],
  [EMR.selectClipPath]: (random) => words(1 + random.below(6)),
  [EMR.extSelectClipRegion]: (random) =>
    random.chance(30)
      ? words(0, 5)
      : words(48, 1 + random.below(6), 32, 1, stated(random, 1), 16, ...places(random, 4), ...places(random, 4)),
  [EMR.comment]: (random) => words(8, random.pick([0x2b464d45, 0x43494447]), random.bits()),
  [EMR.bitBlt]: blit(0),
  [EMR.stretchBlt]: blit(2),
  [EMR.alphaBlend]: blit(2),
  [EMR.setDiBitsToDevice]: withBitmap((random, at) => words(...places(random, 10), ...at, 0, 0, 0)),
  [EMR.stretchDiBits]: withBitmap((random, at) =>
    words(...places(random, 10), ...at, 0, operation(random), ...places(random, 2)),
  ),
  [EMR.extTextOutA]: text(false),
  [EMR.extTextOutW]: text(true),
}

export function madeEmf(random: Random): Uint8Array {
  const types = Object.keys(bodies).map(Number)
  const records = Array.from({ length: 1 + random.below(24) }, () => {
    const type = random.pick(types)
    return emfRecord(type, bodies[type]?.(random) ?? [])
  })
  return emf(...records)
}

const narrowPlaces = (random: Random, count: number) => shorts(...places(random, count))

function packedBitmap(random: Random): number[] {
  const { header, pixels } = madeBitmap(random)
  return [...header, ...pixels]
}

const western = (said: string): number[] => {
  const bytes = [...Buffer.from(said, 'latin1')]
  return bytes.length % 2 === 0 ? bytes : [...bytes, 0]
}

const picture =
  (before: number): Body =>
  (random) => [
    ...words(operation(random)),
    ...narrowPlaces(random, before),
    ...narrowPlaces(random, 4),
    ...packedBitmap(random),
  ]

/** The parameters of a record of a WMF, after its size and type. */
const parameters: Readonly<Record<number, Body>> = {
  ...Object.fromEntries(
    [META.rectangle, META.ellipse, META.intersectClipRect].map((type) => [
      type,
      (random: Random) => narrowPlaces(random, 4),
    ]),
  ),
  ...Object.fromEntries(
    [META.arc, META.pie, META.chord].map((type) => [type, (random: Random) => narrowPlaces(random, 8)]),
  ),
  ...Object.fromEntries(
    [META.lineTo, META.moveTo, META.setWindowOrigin, META.setWindowExtent, META.offsetWindowOrigin].map((type) => [
      type,
      (random: Random) => narrowPlaces(random, 2),
    ]),
  ),
  ...Object.fromEntries(
    [
      META.saveDc,
      META.createPalette,
      META.createRegion,
      META.createPatternBrush,
      META.dibCreatePatternBrush,
      META.selectClipRegion,
    ].map((type) => [type, none]),
  ),
  ...Object.fromEntries(
    [META.selectObject, META.deleteObject].map((type) => [
      type,
      (random: Random) => shorts(random.chance(90) ? random.below(5) : 0xffff),
    ]),
  ),
  [META.roundRect]: (random) => narrowPlaces(random, 6),
  [META.restoreDc]: (random) => shorts(random.pick([-1, -1, 1, 0, -9, 0x7fff])),
  [META.setPolyFillMode]: (random) => shorts(random.below(3)),
  [META.setTextAlign]: (random) => shorts(random.pick([0, 1, 2, 6, 8, 24, 25, 30])),
  [META.setTextColor]: (random) => words(color(random)),
  [META.setBackgroundColor]: (random) => words(color(random)),
  [META.createPenIndirect]: (random) => [...shorts(random.below(7), random.below(40), 0), ...words(color(random))],
  [META.createBrushIndirect]: (random) => [...shorts(random.below(4)), ...words(color(random)), ...shorts(0)],
  [META.createFontIndirect]: (random) => [
    ...shorts(random.pick([-12, 12, 0, 300]), 0, random.pick([0, 900, 450]), 0, random.pick([400, 700])),
    ...[random.below(2), random.below(2), 0, random.pick([0, 2]), 0, 0, 0, 0],
    ...western(`${face(random)}\0`),
  ],
  [META.polygon]: narrowList,
  [META.polyline]: narrowList,
  [META.polyPolygon]: (random) => {
    const counts = Array.from({ length: random.below(5) }, () => random.below(6))
    const all = counts.reduce((sum, count) => sum + count, 0)
    return [
      ...shorts(stated(random, counts.length), ...counts.map((count) => stated(random, count))),
      ...narrowPlaces(random, all * 2),
    ]
  },
  [META.textOut]: (random) => {
    const said = sentence(random)
    return [...shorts(stated(random, said.length)), ...western(said), ...narrowPlaces(random, 2)]
  },
  [META.extTextOut]: (random) => {
    const said = sentence(random)
    const options = random.pick([0, 2, 4, 6])
    return [
      ...narrowPlaces(random, 2),
      ...shorts(stated(random, said.length), options),
      ...(options === 0 ? [] : narrowPlaces(random, 4)),
      ...western(said),
      ...(random.chance(50) ? shorts(...Array.from(said, () => random.below(60))) : []),
    ]
  },
  [META.patternBlt]: (random) => [...words(operation(random)), ...narrowPlaces(random, 4)],
  [META.dibBitBlt]: picture(2),
  [META.setDibToDevice]: picture(3),
  [META.dibStretchBlt]: picture(4),
  [META.stretchDib]: picture(5),
}

function narrowList(random: Random): number[] {
  const count = random.below(14)
  return [...shorts(stated(random, count)), ...narrowPlaces(random, count * 2)]
}

export function madeWmf(random: Random): Uint8Array {
  const types = Object.keys(parameters).map(Number)
  const records = Array.from({ length: 1 + random.below(24) }, () => {
    const type = random.pick(types)
    return wmfBytes(type, parameters[type]?.(random) ?? [])
  })
  if (random.chance(60)) return wmf(...records)
  return bareWmf(
    wmfBytes(META.setWindowOrigin, shorts(0, 0)),
    wmfBytes(META.setWindowExtent, shorts(500, 1_000)),
    ...records,
  )
}
