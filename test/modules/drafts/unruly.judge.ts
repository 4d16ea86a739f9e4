import type { Asked } from '../../../src/modules/drafts/judge.service.ts'

/** A judge that does what it is given: answers, also late or once it may, dies, stumbles, or never comes back. */
declare const self: Worker

let asked = 0
let mayAnswer: Int32Array
self.onmessage = (event: MessageEvent<Asked | { mayAnswer: Int32Array }>) => {
  if ('mayAnswer' in event.data) {
    mayAnswer = event.data.mayAnswer
    self.postMessage('open')
    return
  }
  asked++
  const { given } = event.data
  if (given === 'die') process.exit(1)
  if (given === 'stumble') self.postMessage({ fault: 'an engine stumbled' })
  else if (given === 'spin') for (;;) Math.sqrt(2)
  else {
    const [, how, number] = /^(late|held) (\d+)/.exec(String(given)) ?? []
    if (how === 'late') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(number))
    if (how === 'held') Atomics.wait(mayAnswer, Number(number), 0)
    self.postMessage({ verdict: { given, asked } })
  }
}
