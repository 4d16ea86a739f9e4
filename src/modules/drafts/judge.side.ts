import type { EnginePort } from '../../runner/engine-worker.ts'
import { drawnQuestions } from './drawn.questions.ts'
import type { Asked, Judged } from './judge.service.ts'
import { answer, questions } from './questions.service.ts'

/** The judge's side of judge.service.ts: answers one question at a time. */
export function serveQuestions(port: EnginePort): void {
  port.onmessage = (event: MessageEvent<Asked>) => {
    let judged: Judged
    try {
      judged = { verdict: answer({ ...questions, ...drawnQuestions }, event.data.name, event.data.given) }
    } catch (error) {
      judged = { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
    port.postMessage(judged, [])
  }
}
