import { gunzipSync } from 'bun'
import type { ConsoleAsset } from '../console/assets.ts'
import { acceptsGzip } from './encoding.ts'

/** What is served beside the contract: the console's files and the descriptions, for GET and HEAD. */
export type Assets = ReadonlyMap<string, ConsoleAsset>

/** The console's own addresses all show its page; these are never one of them. */
const notThePage = /^\/(?:api|health|assets|openapi\.json|asyncapi\.json)(?:\/|$)/

/**
 * Code and styles come from files alone: sizes of bars are set through the object model, and editors keep their styles
 * in constructed sheets. Documents are shown from blob: addresses, which inherit this policy.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "object-src 'self' blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Permissions that the page never asks for, denied so that no script in it can. */
const permissionsPolicy = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'midi'],
  ...['payment', 'usb'],
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Undefined if there is no asset for this request; the pipeline then refuses it. */
export function serveAsset(assets: Assets, request: Request, pathname: string): Response | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const asset = assets.get(pathname) ?? (notThePage.test(pathname) ? undefined : assets.get('/'))
  if (asset === undefined) return undefined
  const useGzip = asset.encoding === 'gzip' && acceptsGzip(request.headers.get('accept-encoding'))
  const etag = useGzip ? asset.gzipEtag : asset.etag
  const headers = new Headers({
    'content-type': asset.contentType,
    'cache-control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Windows of other origins that open the console, or that it opens, can't reach into it.
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': permissionsPolicy,
    'content-security-policy': contentSecurityPolicy,
  })
  if (matchesAny(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  if (useGzip) headers.set('content-encoding', 'gzip')
  if (request.method === 'HEAD') return new Response(null, { headers })
  // Every browser takes gzip, so the plain form is made for the few clients that don't.
  return new Response(asset.encoding === 'gzip' && !useGzip ? gunzipSync(asset.body) : asset.body, { headers })
}

/** Weak comparison, as RFC 9110 section 13.1.2 wants for If-None-Match. */
function matchesAny(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
