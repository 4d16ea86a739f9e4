import type { BunPlugin } from 'bun'

/** A package that another one imports, but that is never used here. */
export interface LeftOut {
  package: string
  /** Parts of the paths of the modules that import it. If any other module does, the build fails. */
  namedBy: RegExp
  /** The names that these modules import. */
  names: readonly string[]
  why: string
}

/** Packages that the executable leaves out. Each byte of a program costs six, with its bytecode and its source map. */
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

/** Modules that are replaced by smaller ones. */
const smaller: readonly { filter: RegExp; contents(path: string): string | Promise<string> }[] = [
  {
    // A copy of the runtime's streams for older runtimes. With `READABLE_STREAM=disable` it returns the runtime's own, as here.
    filter: /[\\/]readable-stream[\\/]lib[\\/]ours[\\/]index\.js$/,
    contents: () => "module.exports = require('node:stream')",
  },
  {
    // pdf-lib uses it only for deflating; it inflates streams with code of its own.
    filter: /[\\/]pako[\\/]index\.js$/,
    contents: () => "module.exports = require('./lib/deflate')",
  },
  {
    // Symbologies that Quire doesn't offer (`barcodeTypes`).
    filter: /[\\/]jsbarcode[\\/]bin[\\/]barcodes[\\/](?:MSI|pharmacode|CODE93|GenericBarcode)[\\/]index\.js$/,
    contents: () => '',
  },
  {
    // Barcodes are drawn from the object that jsbarcode fills; it never renders into an element.
    filter: /[\\/]jsbarcode[\\/]bin[\\/]renderers[\\/](?:canvas|svg)\.js$/,
    contents: () => '',
  },
  {
    // Text that looks like a URL doesn't become a link in documents, but markdown-it creates one of these all the same.
    filter: /[\\/]linkify-it[\\/]/,
    contents: () => 'export class LinkifyIt {}',
  },
  {
    // None of Quire's operations sends or receives a stream of events, unlike S3's SelectObjectContent.
    filter: /[\\/]@smithy[\\/]core[\\/]dist-es[\\/]submodules[\\/]event-streams[\\/]index\.js$/,
    contents: () => `
      export const eventStreamSerdeProvider = () => undefined
      export const resolveEventStreamSerdeConfig = (config) => config
      export class EventStreamSerde {}`,
  },
  {
    // Only what src/metrics.ts uses: no summaries, gateways and clusters, and its process metrics are its own.
    filter: /[\\/]prom-client[\\/]index\.js$/,
    contents: () => `
      exports.Registry = require('./lib/registry')
      exports.Counter = require('./lib/counter')
      exports.Gauge = require('./lib/gauge')
      exports.Histogram = require('./lib/histogram')`,
  },
  {
    // Events are published with their full topics. For a broker that supports topic aliases, the client creates one of these
    // without using it.
    filter: /[\\/]mqtt[\\/]build[\\/]lib[\\/]topic-alias-send\.js$/,
    contents: () => `
      Object.defineProperty(exports, '__esModule', { value: true })
      exports.default = class TopicAliasSend {}`,
  },
  {
    // With DEBUG set, mqtt logs everything byte by byte; Quire's own log has the results.
    filter: /[\\/]debug[\\/]src[\\/]index\.js$/,
    contents: () => 'module.exports = () => () => {}',
  },
  {
    // The ECMAScript form, of which the bundler takes only what is used.
    filter: /[\\/]tslib[\\/]modules[\\/]index\.js$/,
    contents: () => "export * from '../tslib.es6.js'",
  },
  {
    // Only browsers encrypt to passkeys.
    filter: /[\\/]age-encryption[\\/]dist[\\/]webauthn\.js$/,
    contents: () => 'export {}',
  },
  {
    // Elysia compiles its routes, so its interpreter is never called.
    filter: /[\\/]elysia[\\/]dist[\\/]dynamic-handle\.mjs$/,
    contents: () => 'export const [createDynamicHandler, createDynamicErrorHandler] = []',
  },
  {
    // Packages read their version here; the rest of mqtt's and AWS's files isn't needed.
    filter: /[\\/]node_modules[\\/].*[\\/]package\.json$/,
    async contents(path) {
      const { name, version } = await Bun.file(path).json()
      return JSON.stringify({ name, version })
    },
  },
]

const namespace = 'left-out'

/**
 * Replaces each listed package with a stand-in that names the missing package if the program reaches it after all.
 *
 * @param isComplete whether all of Quire is built; then a listed package that nothing imports is an error, too
 * @throws at the build, if any other module imports such a package
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
