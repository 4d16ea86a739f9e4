import { serveEngines } from './serve-engines.ts'
import { yieldToOtherThreads } from './thread-priority.ts'

/** The engines on a thread, for commands that work on their caller's own files. */
declare const self: Worker

// The main thread has its caller to answer; a document takes so long that it can wait for that.
yieldToOtherThreads(10)
serveEngines(self)
