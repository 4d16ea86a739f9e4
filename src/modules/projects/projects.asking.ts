/** How a project's many questions are put to the judge: a few at once, and none twice. */
import { limits } from '../../core/limits.ts'
import { newestReading } from '../../core/reading.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { askAhead } from '../drafts/judge-known.service.ts'
import type { SourceText } from '../versions/versions.service.ts'

/**
 * What `work` makes of each item, in their order. A few are under way at a time, so that the judge never waits for its next
 * question, and whoever else asks it something comes soon.
 */
export async function askOfEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers = new Array<R>(items.length)
  const waiting = items.entries()
  const ask = async () => {
    for (const [index, item] of waiting) answers[index] = await work(item)
  }
  await Promise.all(Array.from({ length: limits.projectQuestionsAtOnce }, ask))
  return answers
}

/** What a transformer says without anything around it. */
export function askOfTransformer(judge: Judge, { source, format }: SourceText) {
  return askAhead(judge, 'transformer', { source, format, reading: newestReading })
}

export function askOfModel(judge: Judge, { source, format }: SourceText) {
  return askAhead(judge, 'model', { source, format })
}
