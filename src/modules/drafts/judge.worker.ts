import { yieldToOtherThreads } from '../../runner/thread-priority.ts'
import { serveQuestions } from './judge.side.ts'

/** The judge on a thread. */
declare const self: Worker

yieldToOtherThreads(5)
serveQuestions(self)
