import { textFormats } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { oneOf, text } from '../../http/wire.ts'

export const sourceText = text({ minLength: 1, maxBytes: limits.sourceBytes })

export const sourceFormat = oneOf(textFormats)
