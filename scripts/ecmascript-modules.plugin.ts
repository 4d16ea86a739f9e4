import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BunPlugin } from 'bun'

/**
 * Takes some packages as ECMAScript modules that are found as CommonJS, of which the bundler can leave out nothing. AWS's offer that
 * first to a server; a third of them are protocols that S3 doesn't speak. OpenTelemetry's interface would be there twice,
 * since prom-client requires it.
 */
export const ecmascriptModulesPlugin: BunPlugin = {
  name: 'ecmascript-modules',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, resolveDir, importer }) => ({
      path: Bun.resolveSync(path, resolveDir || dirname(importer)).replace(/\.cjs$/, '.mjs'),
    }))
    build.onResolve({ filter: /^@(?:aws-sdk|smithy)\/[^/]+(?:\/[^/]+)?$/ }, ({ path, resolveDir, importer }) => {
      const found = Bun.resolveSync(path, resolveDir || dirname(importer))
      const module = found.replace(/([\\/])dist-cjs([\\/])/, '$1dist-es$2')
      return module !== found && existsSync(module) ? { path: module } : undefined
    })
  },
}
