/** The engines on a thread of their own, so that no text is too large to go on typing in. */
import { readTexts } from '../language.ts'
import { answers, type Question } from './answers.ts'

export interface Letter {
  id: number
  question: Question
  asked: unknown
}

const ready = readTexts()

self.onmessage = async ({ data: { id, question, asked } }: MessageEvent<Letter>) => {
  await ready
  try {
    const answer = await (answers[question] as (asked: unknown) => unknown)(asked)
    self.postMessage({ id, answer })
  } catch (error) {
    self.postMessage({ id, fault: String(error) })
  }
}
