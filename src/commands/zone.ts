import { parseArgs } from 'node:util'
import { zoneEnd } from '../core/locale/zone.ts'
import { nearest } from '../core/nearest.ts'
import { type Command, UsageError } from './command.ts'
import { printJson } from './print-json.ts'

/** Before that, some offsets had seconds, which RFC 3339 can't write. */
const firstYear = 1973
const lastYear = 2100

/** `quire zone <name>`: prints a time zone of IANA as a table for `$inZone` of a transformer. */
export const runZone: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string', default: '2020' },
      until: { type: 'string', default: '2040' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [wanted = '', ...more] = positionals
  if (wanted === '' || more.length > 0) throw new UsageError('zone takes one time zone, such as Europe/Berlin')
  const name = zoneCalled(wanted)
  const from = yearIn(values.from, '--from')
  const until = yearIn(values.until, '--until')
  if (until <= from) throw new UsageError('--until is a year after that of --from')
  const rows = zoneRows(name, from, until)
  const key = (name.split('/').at(-1) ?? name).toLowerCase().replace(/[^a-z0-9]+/g, '-')
  if (values.json) printJson({ [key]: Object.fromEntries(rows) })
  else process.stdout.write(yamlOf(`${name} from ${from} until ${until}`, key, rows))
  return 0
}

function yamlOf(what: string, key: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([at, value]) => `    ${at}: ${at === zoneEnd ? value : JSON.stringify(value)}\n`)
  return `# ${what}: data of IANA, as in ICU ${process.versions.icu}\ntables:\n  ${key}:\n${lines.join('')}`
}

/** @throws UsageError for an unknown name, with the closest one */
function zoneCalled(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    const meant = nearest(name, Intl.supportedValuesOf('timeZone'))
    throw new UsageError(`there is no time zone "${name}"${meant === undefined ? '' : `; did you mean ${meant}?`}`)
  }
  return name
}

function yearIn(text: string, option: string): number {
  const year = /^\d{4}$/.test(text) ? Number(text) : 0
  if (year >= firstYear && year <= lastYear) return year
  throw new UsageError(`${option} is a year from ${firstYear} to ${lastYear}`)
}

const secondsOfDay = 86_400

/**
 * The offsets of a time zone, each with the instant from which it holds; the last row says where they end.
 *
 * @param from the first year; @param until the year before which they end
 */
export function zoneRows(name: string, from: number, until: number): (readonly [string, string])[] {
  const offsetAt = offsetsOf(name)
  const start = Date.UTC(from, 0, 1) / 1000
  const end = Date.UTC(until, 0, 1) / 1000
  const rows: [string, string][] = [[textOf(start), offsetAt(start)]]
  // No zone changes its offset twice in a day.
  for (let day = start; day < end; day += secondsOfDay) {
    const before = offsetAt(day)
    const after = offsetAt(day + secondsOfDay)
    if (before === after || day + secondsOfDay > end) continue
    let [low, high] = [day, day + secondsOfDay]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle) === before) low = middle
      else high = middle
    }
    if (high < end) rows.push([textOf(high), after])
  }
  return [...rows, [zoneEnd, textOf(end)]]
}

function textOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

/** Offsets as `+02:00`, by seconds since 1970. */
function offsetsOf(name: string): (seconds: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  return (seconds) => {
    const part = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, offset = '+00:00'] = /^GMT([+-]\d\d:\d\d)/.exec(part) ?? []
    return offset
  }
}
