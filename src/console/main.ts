/** Loads the texts of the language, then everything else: many modules make their texts when they are loaded. */
import { readTexts } from './language.ts'

await readTexts()
await import('./start.tsx')
