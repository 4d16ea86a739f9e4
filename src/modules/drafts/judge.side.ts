import { createCollector } from '../../runner/collector.ts'
import type { EnginePort } from '../../runner/engine-worker.ts'
import type { Asked, Judged } from './judge.service.ts'
import { answer, questions } from './questions.service.ts'

/** The worker's side of judge.service.ts: answers one question at a time, in order. */
export function serveQuestions(port: EnginePort): void {
  const collectGrown = createCollector()
  let answered = Promise.resolve()
  port.onmessage = ({ data }: MessageEvent<Asked>) => {
    answered = answered.then(async () => {
      port.postMessage(await judged(data), [])
      collectGrown()
    })
  }
}

async function judged({ name, given }: Asked): Promise<Judged> {
  try {
    return { verdict: answer(await answering(name), name, given) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Loads the layout engine only for questions that need it: it takes as long to load as all other engines together. */
async function answering(name: Asked['name']) {
  return Object.hasOwn(questions, name) ? questions : (await import('./drawn.questions.ts')).drawnQuestions
}
