/** Time zones, whose tables are submitted: nothing here knows the machine's own. */
import { formatCivil, hasTime } from '../../../core/locale/calendar.ts'
import { inZone, readZone, type Zone, type ZoneRows } from '../../../core/locale/zone.ts'
import { shorten } from '../../../core/source/read.ts'
import type { SourceNode } from '../../../core/source/tree.ts'
import { sumCosts } from '../built.ts'
import { type CallSite, operator, take } from '../call.ts'
import { checkValue, nameOf } from '../check.ts'
import { wholeTable } from '../context.ts'
import { burn, Fault, type Frame } from '../frame.ts'
import type { Size } from '../size.ts'
import { types } from '../types.ts'
import { wantTime } from './dates.ts'

export const zoneOperators = [
  operator({
    name: '$inZone',
    group: 'dates',
    doc: 'The same instant as the clocks of a time zone show it.',
    args: {
      subject: take.value('date', 'the date with time, which has its offset from UTC'),
      zone: take.node('a table or object: instants, each with the offset from then on, and "until"'),
    },
    build(call) {
      const date = call.value('subject')
      wantTime(call, date, '$inZone')
      const zone = readZoneArgument(call)
      if (zone === undefined) return call.broken()
      return call.result(types.datetime, sumCosts([date, zone]), (frame) => {
        burn(frame, call.node)
        const value = date.run(frame)
        const { offsetMinutes } = hasTime(value) ? value : {}
        if (!hasTime(value) || offsetMinutes === undefined) {
          const hint = 'Give it one, such as 2026-03-29T09:00:00Z.'
          throw new Fault('type', call.node, `${formatCivil(value)} has no offset from UTC, so it is no instant.`, hint)
        }
        const found = inZone({ ...value, offsetMinutes }, zone.run(frame))
        if (found !== undefined) return formatCivil(found)
        const message = `The zone ${zone.name} has no offset at ${formatCivil(value)}.`
        throw new Fault('no_row', call.node, message, 'Add the years to its table: quire zone prints them.')
      })
    },
  }),
]

interface ZoneArgument {
  name: string
  cost: Size
  run(frame: Frame): Zone
}

/** Read once for each object, which the values keep. */
const known = new WeakMap<object, Zone>()

function readZoneArgument(call: CallSite): ZoneArgument | undefined {
  const node = call.nodeOf('zone')
  if (node.kind === 'scalar' && !/^[/$]/.test(node.text)) {
    const table = call.context.tables.get(node.text)
    if (table === undefined) {
      const meant = call.suggest(node.text, call.context.tables.keys()) ?? hint
      call.error('unknown_table', node, `There is no table "${shorten(node.text)}".`, meant)
      return undefined
    }
    const zone = zoneOf(wholeTable(table), node, call)
    return zone && { name: `"${shorten(node.text)}"`, cost: 0, run: () => zone }
  }
  const built = call.builder.value(node)
  const object = checkValue(call.context, built, 'object', '"zone"')
  const run = (frame: Frame) => {
    const value = object.run(frame)
    const zone = known.get(value) ?? zoneOf(Object.entries(value), node)
    known.set(value, zone)
    frame.lineage?.takeWhole(value)
    return zone
  }
  return { name: nameOf(built), cost: object.cost, run }
}

const hint = 'The rows of a zone are instants with offsets, and "until"; quire zone prints them.'

/** What is wrong with the rows is reported to the call, or ends the run. */
function zoneOf(rows: ZoneRows, node: SourceNode): Zone
function zoneOf(rows: ZoneRows, node: SourceNode, call: CallSite): Zone | undefined
function zoneOf(rows: ZoneRows, node: SourceNode, call?: CallSite): Zone | undefined {
  const read = readZone(rows)
  if (read.ok) return read.zone
  const message = `"zone" ${read.problem}.`
  if (call === undefined) throw new Fault('type', node, message, hint)
  call.error('type', node, message, hint)
  return undefined
}
