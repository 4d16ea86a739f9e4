import type { Static } from '@sinclair/typebox'
import { activatedKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { oneOf, text } from '../../http/wire.ts'

export const configurationKind = oneOf(activatedKinds)

export type ConfigurationKind = Static<typeof configurationKind>

/** One line with at least one visible character. */
export const familyName = text({
  minLength: 1,
  maxLength: limits.familyNameChars,
  pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
})

/** May be empty, and have several lines. */
export const familyDescription = text({
  maxLength: limits.familyDescriptionChars,
  pattern: '^[^\\p{Cc}\\n\\r\\t]*(?:[\\n\\r\\t][^\\p{Cc}\\n\\r\\t]*)*$',
})
