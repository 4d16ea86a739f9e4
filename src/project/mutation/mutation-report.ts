import { placeText } from '../coverage/coverage-report.ts'
import { type MutationResult, type Survivor, scoreOf } from './mutate.ts'

/** A change that no case notices: its place, what kind of change it is, and its lines. */
export function survivorLines({ file, place, line, what, change, isReached }: Survivor): string[] {
  const at = placeText(file, { place, ...(line === undefined ? {} : { line }) })
  return [`${at}: ${what}${isReached ? '' : ' (no case gets here)'}`, ...change.map((each) => `  ${each}`)]
}

/** Every survivor, and then the score in one line. */
export function mutationLines(result: MutationResult): string {
  return [...result.survivors.flatMap(survivorLines), scoreLine(result)].map((line) => `${line}\n`).join('')
}

/** `113 of 120 changes noticed (94 %), 13 refused before any case ran` */
export function scoreLine(result: MutationResult): string {
  const { noticed, survivors, refused, untried, possible } = result
  const score = scoreOf(result)
  const tried = noticed + survivors.length
  return [
    `${noticed} of ${tried} changes noticed${score === undefined ? '' : ` (${score} %)`}`,
    ...(refused === 0 ? [] : [`${refused} refused before any case ran`]),
    ...(untried === 0 ? [] : [`${untried} not tried for want of time`]),
    ...(tried + refused + untried < possible ? [`a sample of ${possible}`] : []),
  ].join(', ')
}

/** What the score misses of the least that is wanted. */
export function missedScore(result: MutationResult, least: number): string[] {
  const score = scoreOf(result)
  return score === undefined || score >= least
    ? []
    : [`the mutation score is ${score} %, and --min-score wants ${least} %`]
}
