import type { Asked } from '../../../src/modules/drafts/judge.service.ts'

/** A judge that does what it is given: answers, also late, dies, stumbles, or never comes back. */
declare const self: Worker

let asked = 0
self.onmessage = (event: MessageEvent<Asked>) => {
  asked++
  const { given } = event.data
  if (given === 'die') process.exit(1)
  if (given === 'stumble') self.postMessage({ fault: 'an engine stumbled' })
  else if (given === 'spin') for (;;) Math.sqrt(2)
  else {
    const late = /^late (\d+)/.exec(String(given))
    if (late !== null) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(late[1]))
    self.postMessage({ verdict: { given, asked } })
  }
}
