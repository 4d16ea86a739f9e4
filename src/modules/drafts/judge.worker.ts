import { yieldToOtherThreads } from '../../runner/thread-priority.ts'
import { drawnQuestions } from './drawn.questions.ts'
import type { Asked, Judged } from './judge.service.ts'
import { answer, questions } from './questions.service.ts'

/** The judge's side of judge.service.ts: answers one question at a time. */
declare const self: Worker

yieldToOtherThreads(5)

self.onmessage = (event: MessageEvent<Asked>) => {
  let judged: Judged
  try {
    judged = { verdict: answer({ ...questions, ...drawnQuestions }, event.data.name, event.data.given) }
  } catch (error) {
    judged = { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  self.postMessage(judged)
}
