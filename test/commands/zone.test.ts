import { expect, test } from 'bun:test'
import { UsageError } from '../../src/commands/command.ts'
import { runZone, zoneRows } from '../../src/commands/zone.ts'
import { formatCivil, parseDateTime } from '../../src/core/locale/calendar.ts'
import { inZone, readZone } from '../../src/core/locale/zone.ts'
import { compileTransformer } from '../../src/engines/declarative/declarative.ts'
import { sourceOf } from '../engines/declarative/compile.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

const zones = [
  'Europe/Berlin',
  'America/St_Johns',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'UTC',
]

test.each(zones)('the table of %s shows every instant as the clocks there do', (name) => {
  const read = readZone(zoneRows(name, 2024, 2027))
  if (!read.ok) throw new Error(read.problem)
  const format = new Intl.DateTimeFormat('sv', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' })
  const [start, end] = [Date.UTC(2024, 0, 1), Date.UTC(2027, 0, 1)]
  // A step that is no divisor of a day meets every hour of it.
  for (let at = start; at < end; at += 5 * 3_600_000 + 999_000) {
    const instant = parseDateTime(new Date(at).toISOString())
    if (instant?.offsetMinutes === undefined) throw new Error('an instant has an offset')
    const local = inZone({ ...instant, offsetMinutes: 0 }, read.zone)
    const shown = local && formatCivil(local).slice(0, 19).replace('T', ' ')
    if (shown !== format.format(at)) expect([new Date(at), shown]).toEqual([new Date(at), format.format(at)])
  }
  expect([read.zone.offsetAt(start / 1000 - 1), read.zone.offsetAt(end / 1000)]).toEqual([undefined, undefined])
})

test('a table changes at the second at which the clocks do', () => {
  expect(zoneRows('Europe/Berlin', 2026, 2027)).toEqual([
    ['2026-01-01T00:00:00Z', '+01:00'],
    ['2026-03-29T01:00:00Z', '+02:00'],
    ['2026-10-25T01:00:00Z', '+01:00'],
    ['until', '2027-01-01T00:00:00Z'],
  ])
})

test('what is printed is the tables of a transformer as it stands', async () => {
  const { code, stdout } = await runCommand(temporaryFolder(), ['zone', 'America/Argentina/Buenos_Aires'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('until: 2040-01-01T00:00:00Z\n')])
  const source = sourceOf('{ $inZone: /at, zone: buenos-aires }', stdout)
  expect(compileTransformer(source, 'yaml')).toMatchObject({ ok: true, findings: [] })
})

test('an unknown zone is reported with the one that it is like, and years are bounded', async () => {
  const context = {} as Parameters<typeof runZone>[1]
  const refused = async (...args: string[]) => {
    const { reason } = (await runZone(args, context).then(
      () => ({ reason: undefined }),
      (error: unknown) => ({ reason: error }),
    )) as { reason: unknown }
    expect(reason).toBeInstanceOf(UsageError)
    return String((reason as Error).message)
  }
  expect(await refused('Europe/Berln')).toBe('there is no time zone "Europe/Berln"; did you mean Europe/Berlin?')
  expect(await refused()).toStartWith('zone takes one time zone')
  expect(await refused('UTC', '--from', '1960')).toBe('--from is a year from 1973 to 2100')
  for (const year of ['1972', '2101', '20266', '2026x'])
    expect(await refused('UTC', '--until', year)).toBe('--until is a year from 1973 to 2100')
  expect(await refused('nowhere at all')).toBe('there is no time zone "nowhere at all"')
  expect(await refused('UTC', 'Europe/Berlin')).toStartWith('zone takes one time zone')
  expect(await refused('UTC', '--from', '2030', '--until', '2030')).toBe('--until is a year after that of --from')
})

test('a table is told to people as YAML, to programs as JSON, under the last part of its zone’s name', async () => {
  const { stdout } = await runCommand(temporaryFolder(), ['zone', 'Europe/Berlin', '--from', '2026', '--until', '2027'])
  expect(stdout.split('\n').slice(1)).toEqual([
    ...['tables:', '  berlin:', '    2026-01-01T00:00:00Z: "+01:00"', '    2026-03-29T01:00:00Z: "+02:00"'],
    ...['    2026-10-25T01:00:00Z: "+01:00"', '    until: 2027-01-01T00:00:00Z', ''],
  ])
  expect(stdout).toMatch(/^# Europe\/Berlin from 2026 until 2027: data of IANA, as in ICU \d/)
  const json = await runCommand(temporaryFolder(), ['zone', 'UTC', '--from', '1973', '--until', '2100', '--json'])
  expect(JSON.parse(json.stdout)).toEqual({ utc: { '1973-01-01T00:00:00Z': '+00:00', until: '2100-01-01T00:00:00Z' } })
})
