import type { BunPlugin } from 'bun'

/** A package that another one names, but never gets to here. */
export interface LeftOut {
  package: string
  /** Who names it: parts of their paths. Anybody else needs it, and the build says so. */
  namedBy: RegExp
  /** What those who name it take from it. */
  names: readonly string[]
  why: string
}

/** What the executable is built without: each byte of a program is there with its bytecode and its source map, six in all. */
export const leftOut: readonly LeftOut[] = [
  {
    package: 'socks',
    namedBy: /\/mqtt\//,
    names: ['SocksClient'],
    why: 'brokers are reached without a SOCKS proxy; src/bus/mqtt-transport.ts sets none, and an MQTTJS_SOCKS_PROXY of the environment is not supported',
  },
  {
    package: 'worker-timers',
    namedBy: /\/mqtt\//,
    names: ['setInterval', 'clearInterval'],
    why: 'only in browsers does mqtt take its timers from it',
  },
  {
    package: 'file-type',
    namedBy: /\/elysia\//,
    names: ['fileTypeFromBlob'],
    why: 'no operation is described with a file of a type; the modules look into what they get themselves',
  },
  {
    package: 'bowser',
    namedBy: /\/@aws-sdk\/core\//,
    names: ['parse'],
    why: 'only in browsers does the SDK read who the browser says it is',
  },
  {
    package: 'exact-mirror',
    namedBy: /\/elysia\//,
    names: ['createMirror'],
    why: 'src/app.ts has bodies neither normalised nor cut',
  },
]

/** Modules that are carried with less in them. */
const smaller: readonly { filter: RegExp; contents(path: string): string | Promise<string> }[] = [
  {
    // A copy of the runtime's streams for older runtimes. With `READABLE_STREAM=disable` it gives the runtime's own, as here.
    filter: /[\\/]readable-stream[\\/]lib[\\/]ours[\\/]index\.js$/,
    contents: () => "module.exports = require('node:stream')",
  },
  {
    // pdf-lib deflates with it; what it inflates streams with is its own.
    filter: /[\\/]pako[\\/]index\.js$/,
    contents: () => "module.exports = require('./lib/deflate')",
  },
  {
    // Of the symbologies these are none of ours (`barcodeTypes`).
    filter: /[\\/]jsbarcode[\\/]bin[\\/]barcodes[\\/](?:MSI|pharmacode|CODE93|GenericBarcode)[\\/]index\.js$/,
    contents: () => '',
  },
  {
    // Codes are drawn from the object that jsbarcode fills, never by it into an element.
    filter: /[\\/]jsbarcode[\\/]bin[\\/]renderers[\\/](?:canvas|svg)\.js$/,
    contents: () => '',
  },
  {
    // Text that looks like an address becomes no link in documents; markdown-it makes one of these all the same.
    filter: /[\\/]linkify-it[\\/]/,
    contents: () => 'export class LinkifyIt {}',
  },
  {
    // No operation of ours sends or gets a stream of events, as S3's SelectObjectContent does.
    filter: /[\\/]@smithy[\\/]core[\\/]dist-es[\\/]submodules[\\/]event-streams[\\/]index\.js$/,
    contents: () => `
      export const eventStreamSerdeProvider = () => undefined
      export const resolveEventStreamSerdeConfig = (config) => config
      export class EventStreamSerde {}`,
  },
  {
    // What src/metrics.ts makes: no summaries, gateways and clusters, and figures of a process are its own.
    filter: /[\\/]prom-client[\\/]index\.js$/,
    contents: () => `
      exports.Registry = require('./lib/registry')
      exports.Counter = require('./lib/counter')
      exports.Gauge = require('./lib/gauge')
      exports.Histogram = require('./lib/histogram')`,
  },
  {
    // Events go out under their topics. A client makes one of these for a broker that takes aliases, and asks it for none.
    filter: /[\\/]mqtt[\\/]build[\\/]lib[\\/]topic-alias-send\.js$/,
    contents: () => `
      Object.defineProperty(exports, '__esModule', { value: true })
      exports.default = class TopicAliasSend {}`,
  },
  {
    // mqtt says what it does, byte by byte, to whoever sets DEBUG; Quire's own log says what came of it.
    filter: /[\\/]debug[\\/]src[\\/]index\.js$/,
    contents: () => 'module.exports = () => () => {}',
  },
  {
    // The form of which the bundler takes what is used.
    filter: /[\\/]tslib[\\/]modules[\\/]index\.js$/,
    contents: () => "export * from '../tslib.es6.js'",
  },
  {
    // Only browsers encrypt to passkeys.
    filter: /[\\/]age-encryption[\\/]dist[\\/]webauthn\.js$/,
    contents: () => 'export {}',
  },
  {
    // Elysia compiles its routes, so what interprets them instead is never called.
    filter: /[\\/]elysia[\\/]dist[\\/]dynamic-handle\.mjs$/,
    contents: () => 'export const [createDynamicHandler, createDynamicErrorHandler] = []',
  },
  {
    // Packages look here for their version; mqtt's and AWS's own tell of everything else, too.
    filter: /[\\/]node_modules[\\/].*[\\/]package\.json$/,
    async contents(path) {
      const { name, version } = await Bun.file(path).json()
      return JSON.stringify({ name, version })
    },
  },
]

const namespace = 'left-out'

/**
 * Puts a stand-in in the place of each package in the list, which says what is missing if the program gets to it after all.
 *
 * @param isComplete the program is the whole of Quire: an entry of the list that nothing names is a fault, too
 * @throws at the build, if somebody else names such a package
 */
export function leftOutPlugin({
  isComplete,
  list = leftOut,
}: {
  isComplete: boolean
  list?: readonly LeftOut[]
}): BunPlugin {
  const named = new Set<string>()
  return {
    name: namespace,
    setup(build) {
      for (const { package: name, namedBy } of list) {
        build.onResolve({ filter: new RegExp(`^${name}(?:$|/)`) }, ({ path, importer }) => {
          if (path !== name || !namedBy.test(importer.replaceAll('\\', '/')))
            throw new Error(
              `${importer} needs ${path}, which the executable leaves out. Take it from the list in scripts/left-out.plugin.ts, or do without it.`,
            )
          named.add(name)
          return { path: name, namespace }
        })
      }
      for (const { filter, contents } of smaller)
        build.onLoad({ filter }, async ({ path }) => ({
          contents: await contents(path),
          loader: path.endsWith('.json') ? 'json' : 'js',
        }))
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: standIn(path, list), loader: 'js' }))
      build.onEnd(() => {
        const idle = list.filter((entry) => !named.has(entry.package)).map((entry) => entry.package)
        if (isComplete && idle.length > 0)
          throw new Error(
            `Nothing names ${idle.join(', ')} any longer. Take it from the list in scripts/left-out.plugin.ts.`,
          )
      })
    },
  }
}

/** A module whose functions and classes throw. */
function standIn(name: string, list: readonly LeftOut[]): string {
  const { names = [], why = '' } = list.find((entry) => entry.package === name) ?? {}
  const said = JSON.stringify(`${name} is not part of this executable: ${why}.`)
  const exported = names.map((one) => `export function ${one}() { throw new Error(said) }`)
  return [`const said = ${said}`, ...exported].join('\n')
}
