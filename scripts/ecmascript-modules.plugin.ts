import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BunPlugin } from 'bun'

/**
 * Takes the ECMAScript modules of some packages that would otherwise resolve to CommonJS, from which the bundler can't remove
 * unused code. For a server, AWS's packages prefer CommonJS; a third of them are protocols that S3 doesn't use. OpenTelemetry's
 * API would be included twice, since prom-client requires it.
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
