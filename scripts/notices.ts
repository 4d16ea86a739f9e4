/**
 * The contents of an executable: a CycloneDX bill of materials and the licences of its parts, from `bun.lock` and the packages in
 * it. `build.ts` embeds both, for `quire sbom` and `quire licences`. The same lock file gives the same bytes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../src/core/hash.ts'
import { PRODUCT_VERSION } from '../src/core/version.ts'

const root = join(import.meta.dir, '..')

/**
 * Development packages whose data is in files that scripts made from them (docs/dependencies.md). A build installs only the
 * runtime packages, so the licences of these are stored here; `bun scripts/notices.ts` updates them.
 */
const dataPackages = [
  '@expo-google-fonts/noto-sans-math',
  '@expo-google-fonts/noto-sans-symbols',
  '@expo-google-fonts/noto-sans-symbols-2',
  '@expo-google-fonts/stix-two-math',
  '@zxcvbn-ts/language-common',
  'cldr-core',
  'cldr-dates-full',
  'cldr-misc-full',
  'cldr-numbers-full',
]
const dataLicencesFile = join(import.meta.dir, 'data-licences.json')

/** One part of the executable. */
export interface Part {
  name: string
  version: string
  /** SPDX, as the part itself declares it. */
  licence: string
  /** SHA-512 of the package, hexadecimal. */
  hash?: string
  /** The texts of its licence and notices, as distributed. */
  text: string
  dependsOn: string[]
}

interface Lock {
  workspaces: Record<string, { dependencies: Record<string, string> }>
  packages: Record<string, LockedPackage>
}
/** A package from a registry: name and version, the registry, its dependencies, and its hash. */
type LockedPackage = [id: string, registry: string, needs: Needs, integrity?: string]
interface Needs {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  optionalPeers?: string[]
  os?: string | string[]
  cpu?: string | string[]
}

/** @param addonPackage the libSQL addon that the executable contains */
export function partsOf(addonPackage: string): Part[] {
  const lock = Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8')) as Lock
  const parts = new Map<string, Part>()
  /** Where a package required from this place is installed: as near as possible. */
  const placeOf = (place: readonly string[], name: string): string[] | undefined => {
    for (let depth = place.length; depth >= 0; depth--) {
      const found = [...place.slice(0, depth), name]
      if (lock.packages[found.join('/')] !== undefined) return found
    }
    return undefined
  }
  const add = (place: readonly string[], licence: LicenceOf): Part => {
    const [id, , , integrity = ''] = lock.packages[place.join('/')]!
    const at = id.lastIndexOf('@')
    const part: Part = {
      ...{ name: id.slice(0, at), version: id.slice(at + 1), dependsOn: [] },
      ...licence(place),
      ...(integrity.startsWith('sha512-') ? { hash: Buffer.from(integrity.slice(7), 'base64').toString('hex') } : {}),
    }
    parts.set(id, part)
    return part
  }
  const visit = (place: readonly string[]): string => {
    const [id, , needs] = lock.packages[place.join('/')]!
    if (parts.has(id)) return id
    const part = add(place, licenceOfInstalled)
    for (const name of neededBy(needs)) {
      const found = placeOf(place, name)
      if (found === undefined) continue
      const { os, cpu } = lock.packages[found.join('/')]![2]
      // Of packages built per machine, the executable contains only the addon of its own.
      if ((os === undefined && cpu === undefined) || name === addonPackage) part.dependsOn.push(visit(found))
    }
    part.dependsOn.sort()
    return id
  }
  for (const name of Object.keys(lock.workspaces['']!.dependencies)) visit([name])
  // Nothing of these runs, so their dependencies aren't included.
  const kept = JSON.parse(readFileSync(dataLicencesFile, 'utf8')) as Record<string, Licence>
  for (const name of dataPackages) add([name], () => kept[name]!)
  const bun: Part = { name: 'bun', version: Bun.version, licence: BUN_LICENCE, text: BUN_TEXT, dependsOn: [] }
  return [bun, ...parts.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

/** The dependencies that a program contains, without types, and without optional peers, which this program doesn't have. */
function neededBy({ dependencies, optionalDependencies, peerDependencies, optionalPeers = [] }: Needs): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name))
  const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
  return names.filter((name) => !name.startsWith('@types/') && name !== 'typescript')
}

const BUN_LICENCE = 'MIT AND LGPL-2.0-or-later'
const BUN_TEXT = `The runtime. Bun is under the MIT licence; JavaScriptCore and the parts of WebKit in it are under the GNU Library General
Public License, version 2 or later. Source, licences and how to link it anew: https://bun.com/docs/project/license`

type Licence = Pick<Part, 'licence' | 'text'>
type LicenceOf = (place: readonly string[]) => Licence

function licenceOfInstalled(place: readonly string[]): Licence {
  const folder = join(root, 'node_modules', place.join('/node_modules/'))
  if (!existsSync(folder)) throw new Error(`${folder} is not installed; run bun install`)
  const { license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const named = license ?? licenses?.[0]
  const licence = typeof named === 'string' ? named : (named?.type ?? 'NOASSERTION')
  const files = readdirSync(folder).filter((name) => /^(?:licen[sc]e|copying|notice|ofl)/i.test(name))
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8').replace(/\r/g, '').trim())
  return { licence, text: texts.join('\n\n') }
}

const idOf = ({ name, version }: Part) => `${name}@${version}`

/** CycloneDX 1.6 (ECMA-424), without a time, so that a build can be made again to the byte. */
export function billOf(parts: readonly Part[], revision: string): string {
  const refs = new Map(parts.map((part) => [idOf(part), urlOf(part)]))
  const components = parts.map((part) => {
    const [, group, name = part.name] = /^(@[^/]+)\/(.+)$/.exec(part.name) ?? []
    return {
      type: part.name === 'bun' ? 'platform' : 'library',
      'bom-ref': urlOf(part),
      ...(group === undefined ? {} : { group }),
      ...{ name, version: part.version, purl: urlOf(part), licenses: licencesOf(part) },
      ...(part.hash === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: part.hash }] }),
    }
  })
  const own = `pkg:generic/quire@${PRODUCT_VERSION}`
  const bill = {
    metadata: {
      component: {
        ...{ type: 'application', 'bom-ref': own, name: 'quire', version: PRODUCT_VERSION, purl: own },
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'quire:revision', value: revision }],
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: [...refs.values()] },
      ...parts.map((part) => ({ ref: urlOf(part), dependsOn: part.dependsOn.map((id) => refs.get(id)) })),
    ],
  }
  // Named by its content: the same bill has the same number.
  const digest = sha256Hex(JSON.stringify(bill))
  const serial = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${serial.join('-')}`, version: 1 }
  return `${JSON.stringify({ ...head, ...bill }, null, 1)}\n`
}

function urlOf({ name, version }: Part): string {
  if (name === 'bun') return `pkg:github/oven-sh/bun@bun-v${version}`
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function licencesOf({ licence }: Part) {
  if (/ (?:AND|OR|WITH) /.test(licence)) return [{ expression: licence }]
  return [{ license: /^[\w.+-]+$/.test(licence) && licence !== 'NOASSERTION' ? { id: licence } : { name: licence } }]
}

/** A list of the parts, then each text once, below the parts that it comes with. */
export function licencesText(parts: readonly Part[]): { list: string; texts: string } {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const width = Math.max(...parts.map((part) => idOf(part).length))
  const list = parts.map((part) => `${idOf(part).padEnd(width)}  ${part.licence}`).join('\n')
  const byText = Map.groupBy(
    parts.filter(({ text }) => text !== ''),
    ({ text }) => text,
  )
  const texts = [...byText].map(([text, of]) => `${rule}\n${of.map(idOf).join('\n')}\n\n${text}`)
  const bare = parts.filter(({ text }) => text === '').map((part) => `${idOf(part)}  ${part.licence}`)
  const rest = `${rule}\nThese come without a text of their own; that of their licence is above.\n\n${bare.join('\n')}`
  return { list: `${list}\n`, texts: `${[`Quire\n\n${own}`, ...texts, rest].join('\n\n')}\n` }
}

const rule = '='.repeat(80)

/** What the installed packages of data say of their licences, by name. */
export function dataLicences(): Record<string, Licence> {
  return Object.fromEntries(dataPackages.map((name) => [name, licenceOfInstalled([name])]))
}

if (import.meta.main) await Bun.write(dataLicencesFile, `${JSON.stringify(dataLicences(), null, 2)}\n`)
