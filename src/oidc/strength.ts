/** How strong a sign-in at the provider must be. An empty list requires nothing. */
export interface RequiredStrength {
  /** Authentication contexts (`acr`); the sign-in must have one of them. */
  acr: readonly string[]
  /** Methods (`amr`, RFC 8176); the sign-in must have used one of them. */
  amr: readonly string[]
  /** How long ago it may have been. */
  maxAgeSeconds: number | undefined
}

/**
 * Why the claims of an ID token show less than is required (OpenID Connect Core 1.0, 2); undefined if they don't. What
 * the token doesn't say counts as not given. The age is checked with the token's other times.
 */
export function weaknessOf(
  { acr, amr }: Readonly<Record<string, unknown>>,
  required: RequiredStrength,
): string | undefined {
  const hasContext = typeof acr === 'string' && required.acr.includes(acr)
  if (required.acr.length > 0 && !hasContext) return `its acr is none of ${required.acr.join(' ')}`
  const hasMethod = Array.isArray(amr) && amr.some((method) => required.amr.includes(method))
  if (required.amr.length > 0 && !hasMethod) return `its amr has none of ${required.amr.join(' ')}`
  return undefined
}
