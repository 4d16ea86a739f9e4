/** What the editor of a transformer completes, and what it says of a source without mistakes. */

import { formatNumber } from '../../format.ts'
import { t } from '../../language.ts'
import type { Completion } from '../../parts/editor-props.ts'
import { operatorCompletions } from './operators.ts'

/** @param pointers what the contract declares */
export function sourceCompletions(
  pointers: readonly { pointer: string; type: string }[],
  source: string,
): Completion[] {
  const names = [...source.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name ?? '')
  return [
    ...pointers.map(({ pointer, type }) => ({ label: pointer, detail: type, type: 'property' as const })),
    ...operatorCompletions,
    ...[...new Set(names)].map((name) => ({
      label: `$${name}`,
      detail: t`a name of this source`,
      type: 'variable' as const,
    })),
  ]
}

/** @param transformer undefined while the source has errors */
export function checkedText(transformer: { reads: readonly string[]; costBound: number } | undefined): string {
  const reads = transformer?.reads.length ?? 0
  const steps = formatNumber(transformer?.costBound ?? 0)
  return reads === 1
    ? t`Checked: reads one place, at most ${steps} steps`
    : t`Checked: reads ${reads} places, at most ${steps} steps`
}
