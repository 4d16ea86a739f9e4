import { readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'
import { yieldToOtherThreads } from '../../src/runner/thread-priority.ts'

const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
const priorities = [getPriority(thread)]
for (const by of [3, 100]) {
  yieldToOtherThreads(by)
  priorities.push(getPriority(thread))
}
postMessage(priorities)
