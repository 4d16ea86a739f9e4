import { serveEngines } from './serve-engines.ts'
import { yieldToOtherThreads } from './thread-priority.ts'

/** The engines on a thread, for commands that work on their caller's own files. */
declare const self: Worker

// The main thread must answer its caller, while a document takes long anyway.
yieldToOtherThreads(10)
serveEngines(self)
