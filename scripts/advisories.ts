/**
 * Lists packages of `bun.lock` with known vulnerabilities, from an OSV database that was downloaded before, so without network
 * access.
 *
 * `bun scripts/advisories.ts all.zip`, with OSV's archive of the ecosystem npm (https://osv.dev, "Data dumps"). Prints a line for
 * each vulnerability. Exit code 1 if there is one, 2 if the archive can't be used.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unzip, UnzipInflate } from 'fflate'
import { addonPackageOf } from '../src/native/libsql-addon.plugin.ts'
import { partsOf } from './notices.ts'

const root = join(import.meta.dir, '..')

export interface Package {
  name: string
  version: string
}

export interface Weakness extends Package {
  id: string
  summary: string
  /** Versions that fix it, if the record names any. */
  fixed: string[]
}

export interface Looked {
  advisories: number
  /** When the newest record changed; empty if there is none. */
  newest: string
  weaknesses: Weakness[]
}

/** The fields used of a record (https://ossf.github.io/osv-schema/). */
interface Advisory {
  id: string
  modified: string
  withdrawn?: string
  summary?: string
  affected?: {
    package?: { ecosystem: string; name: string }
    versions?: string[]
    ranges?: { type: string; events: Event[] }[]
  }[]
}
interface Event {
  introduced?: string
  fixed?: string
  last_affected?: string
}

/** All packages in the lock file, each once per version. */
export function lockedPackages(lockText: string): Package[] {
  const { packages } = Bun.JSONC.parse(lockText) as { packages: Record<string, [id: string, ...unknown[]]> }
  const ids = new Set(Object.values(packages).map(([id]) => id))
  return [...ids].sort().map((id) => {
    const at = id.lastIndexOf('@')
    return { name: id.slice(0, at), version: id.slice(at + 1) }
  })
}

/** @throws Error if the archive isn't a zip, or has a record that isn't JSON */
export async function lookUp(packages: readonly Package[], archive: ReadableStream<Uint8Array>): Promise<Looked> {
  const versionsOf = Map.groupBy(packages, ({ name }) => name)
  const looked: Looked = { advisories: 0, newest: '', weaknesses: [] }
  await eachRecord(archive, (text) => {
    const advisory = JSON.parse(text) as Advisory
    looked.advisories++
    if (advisory.modified > looked.newest) looked.newest = advisory.modified
    if (advisory.withdrawn !== undefined) return
    for (const affected of advisory.affected ?? []) {
      if (affected.package?.ecosystem !== 'npm') continue
      for (const { name, version } of versionsOf.get(affected.package.name) ?? []) {
        const ranges = (affected.ranges ?? []).filter(({ type }) => type !== 'GIT')
        if (affected.versions?.includes(version) !== true && !ranges.some(({ events }) => isWithin(version, events)))
          continue
        const fixed = ranges.flatMap(({ events }) => events.flatMap((event) => event.fixed ?? []))
        looked.weaknesses.push({ name, version, id: advisory.id, summary: advisory.summary ?? '', fixed })
      }
    }
  })
  if (looked.advisories === 0) throw new Error('it holds no advisories; name a zip of OSV records')
  looked.weaknesses.sort((a, b) => Bun.semver.order(a.version, b.version) || (a.id < b.id ? -1 : 1))
  return looked
}

/** The schema's own algorithm: the last event not above the version decides. */
function isWithin(version: string, events: readonly Event[]): boolean {
  const order = (text: string) => (text === '0' ? 1 : Bun.semver.order(version, text))
  const sorted = events.flatMap((event) => {
    const at = event.introduced ?? event.fixed ?? event.last_affected
    return at === undefined ? [] : [{ at, event }]
  })
  sorted.sort((a, b) => (a.at === '0' ? -1 : b.at === '0' ? 1 : Bun.semver.order(a.at, b.at)))
  let isAffected = false
  for (const { at, event } of sorted) {
    if (event.introduced !== undefined && order(at) >= 0) isAffected = true
    if (event.fixed !== undefined && order(at) >= 0) isAffected = false
    if (event.last_affected !== undefined && order(at) > 0) isAffected = false
  }
  return isAffected
}

/** How a zip's last record begins (PKWARE's APPNOTE 4.3.16), and its greatest length. */
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const LONGEST_END = 22 + 65_535

/** Reads record by record, so that a database of a gigabyte needs the memory of one record. */
async function eachRecord(archive: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const unzip = new Unzip((file) => {
    if (!file.name.endsWith('.json')) return
    const decoder = new TextDecoder()
    let text = ''
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error
      text += decoder.decode(chunk, { stream: !isLast })
      if (isLast) take(text)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  let end = new Uint8Array(0)
  for await (const chunk of archive) {
    unzip.push(chunk)
    end = Buffer.concat([end, chunk]).subarray(-LONGEST_END)
  }
  unzip.push(new Uint8Array(0), true)
  // Reading from the front doesn't notice that the end was cut off.
  if (!Buffer.from(end).includes(END_RECORD)) throw new Error('it is no whole zip; download it again')
}

if (import.meta.main) {
  const [archive] = process.argv.slice(2)
  if (archive === undefined) {
    console.error('bun scripts/advisories.ts all.zip')
    process.exit(2)
  }
  const packages = [
    ...lockedPackages(readFileSync(join(root, 'bun.lock'), 'utf8')),
    { name: 'bun', version: Bun.version },
  ]
  const inside = new Set(
    partsOf(addonPackageOf(process.platform, process.arch)).map(({ name, version }) => `${name}@${version}`),
  )
  const { advisories, newest, weaknesses } = await lookUp(packages, Bun.file(archive).stream()).catch(
    (error: unknown) => {
      console.error(`${archive} can't be used: ${error instanceof Error ? error.message : error}`)
      process.exit(2)
    },
  )
  for (const { name, version, id, summary, fixed } of weaknesses) {
    const where = inside.has(`${name}@${version}`) ? 'in the executable' : 'for development alone'
    console.log(
      `${id}  ${name} ${version}, ${where}; ${fixed.length > 0 ? `mended in ${fixed.join(', ')}` : 'not mended'}: ${summary}`,
    )
  }
  console.log(
    `${packages.length} packages, ${advisories} advisories, the newest of ${newest}: ${weaknesses.length} concern them.`,
  )
  process.exit(weaknesses.length > 0 ? 1 : 0)
}
