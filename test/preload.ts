import { afterAll } from 'bun:test'
import { cleanUp } from './support/cleanup.ts'

// Tests never depend on the machine's zone or locale.
process.env.TZ = 'UTC'

afterAll(cleanUp)
