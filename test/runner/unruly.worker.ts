import type { WorkerRequest } from '../../src/runner/pool.ts'

/** A worker that does what the job's input says: answers, dies, throws, or never comes back. */
declare const self: Worker

self.onmessage = (event: MessageEvent<WorkerRequest>) => {
  const { job } = event.data
  if (job.input === 'die') process.exit(1)
  if (job.input === 'throw')
    setTimeout(() => {
      throw new Error('thrown for the test')
    })
  else if (job.input === 'fault') self.postMessage({ fault: 'an engine stumbled' })
  else if (job.input === 'spin') for (;;) Math.sqrt(2)
  else {
    const summary = { got: event.data.sources.map((sent) => sent.role), forget: event.data.forget }
    self.postMessage({ results: [{ step: 'validate', ok: true, durationMs: 0, summary }] })
  }
}
