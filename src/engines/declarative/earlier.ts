/** What today's rules make of a source that was frozen under earlier ones. */
import type { Finding } from '../../core/finding.ts'
import { findLocale, type Locale, localeTags } from '../../core/locale/locale.ts'
import type { Reading } from '../../core/reading.ts'
import { shorten } from '../../core/source/read.ts'
import { pathOf } from '../../core/source/tree.ts'
import type { Sample } from './context.ts'
import type { LocaleArgument } from './operators/locale.ts'

const earlierReading = 'earlier_reading'

const hint = 'Freeze the source as a new version to have it read by today’s rules.'

/**
 * Warns of each place of a frozen source that today's rules refuse, or for which they write something else.
 *
 * @param earlier samples of what it writes by its own rules
 * @param today the same source by today's rules
 */
export function tellEarlier(
  earlier: readonly Sample[],
  today: { samples: readonly Sample[]; findings: readonly Finding[] },
  locate: (offset: number) => { line: number; column: number },
): Finding[] {
  const refused = today.findings
    .filter(({ severity }) => severity === 'error')
    .map((finding): Finding => ({ ...finding, ...warning(`Today this would be refused: ${finding.message}`) }))
  const now = new Map(today.samples.map(({ node, texts }) => [node, texts]))
  const changed = earlier.flatMap(({ node, texts }): Finding[] => {
    const others = now.get(node)
    const at = others === undefined ? -1 : texts.findIndex((text, index) => text !== others[index])
    if (at < 0) return []
    const [before, after] = [texts[at], others?.[at]].map((text) => `“${shorten(text ?? '')}”`)
    const message = `This version writes ${before} where today’s rules write ${after}.`
    return [{ ...warning(message), path: pathOf(node), ...locate(node.offset) }]
  })
  return [...refused, ...changed]
}

function warning(message: string): Finding {
  return { code: earlierReading, severity: 'warning', message, hint }
}

/** What a call writes in each locale that its argument may be. */
export function inEachLocale(
  argument: LocaleArgument,
  reading: Reading,
  write: (locale: Locale) => string[],
): string[] {
  const locales = argument.values ?? localeTags().flatMap((tag) => findLocale(tag, reading) ?? [])
  return locales.flatMap(write)
}
