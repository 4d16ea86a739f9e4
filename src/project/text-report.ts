import type { Failure } from '../suite/compare.ts'
import type { CaseResult } from './test-cases.ts'

/** A failure as lines for people, the place first. */
export function describeFailure(failure: Failure): string[] {
  switch (failure.kind) {
    case 'text':
      return failure.changes.flatMap(({ line, lines }) => [
        `${failure.file}:${line}`,
        ...lines.map((each) => `  ${each}`),
      ])
    case 'page': {
      const { missing, added, isRearranged } = failure.difference
      const moved = missing.length + added.length === 0 && isRearranged
      const what = moved ? 'of another size, or in another order' : `${missing.length} gone, ${added.length} new`
      return [`${failure.file} is drawn otherwise: ${what} (--html shows it)`]
    }
    case 'other':
      return [
        ...failure.message.split('\n').map((line, index) => (index === 0 ? `${failure.file}: ${line}` : `  ${line}`)),
      ]
  }
}

/** One case's lines: nothing for one that passed. */
export function caseLines({ testCase, failures, updated }: CaseResult): string {
  if (updated.length > 0) return updated.map((file) => `wrote ${file}\n`).join('')
  if (failures.length === 0) return ''
  const lines = failures.flatMap(describeFailure).map((line) => `  ${line}`)
  return `${[`failed ${testCase.stem}`, ...lines].join('\n')}\n`
}

/** Says how many cases were run again with what comes into force later, and when. */
export function laterLines(results: readonly CaseResult[]): string {
  const instants = Map.groupBy(results, ({ testCase }) => testCase.from)
  return [...instants]
    .flatMap(([from, { length }]) => {
      const cases = length === 1 ? '1 case was' : `${length} cases were`
      return from === undefined ? [] : [`${cases} run with what is in force from ${from} on\n`]
    })
    .join('')
}

/** Says how many cases compare nothing yet and pass because nothing was refused. */
export function unwrittenLine(results: readonly CaseResult[]): string {
  const count = results.filter(({ hasExpectations, updated }) => !hasExpectations && updated.length === 0).length
  if (count === 0) return ''
  const [cases, they] = count === 1 ? ['1 case has', 'it makes'] : [`${count} cases have`, 'they make']
  return `${cases} no expectations, so only a refusal fails; quire test --update writes down what ${they}\n`
}

/** How to go on where what was made differs and that is meant. */
export function differingLine(results: readonly CaseResult[]): string {
  const count = results.filter(({ failures }) => failures.some(({ kind }) => kind !== 'other')).length
  if (count === 0) return ''
  const [cases, they] = count === 1 ? ['1 case differs', 'it makes'] : [`${count} cases differ`, 'they make']
  return `${cases} from what is expected; where that is meant, quire test --update writes down what ${they}\n`
}

/** `12 passed, 0 failed in 0.4 s` */
export function summaryLine(results: readonly Pick<CaseResult, 'failures'>[], durationMs: number): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  return `${results.length - failed} passed, ${failed} failed in ${(durationMs / 1000).toFixed(1)} s\n`
}
