/** Puts a project's many questions to the judge: a few at once, and none twice. */
import { limits } from '../../core/limits.ts'
import { newestReading } from '../../core/reading.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { askAhead } from '../drafts/judge-known.service.ts'
import type { SourceText } from '../versions/versions.service.ts'

/**
 * The results of `work` for each item, in order. A few run at a time: the judge never waits for the next question, and other
 * callers' questions don't wait long.
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

/** Asks about a transformer by itself. */
export function askOfTransformer(judge: Judge, { source, format }: SourceText) {
  return askAhead(judge, 'transformer', { source, format, reading: newestReading })
}

export function askOfModel(judge: Judge, { source, format }: SourceText) {
  return askAhead(judge, 'model', { source, format })
}
