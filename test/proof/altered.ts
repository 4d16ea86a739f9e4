import { expect } from 'bun:test'
import type { JsonObject } from '../../src/core/json.ts'
import { type Files, filesOf, zipOf } from './forging.ts'

/** What a proof says, as far as tests change it. */
export interface Json {
  execution: string
  submission: {
    state: { submission: Record<string, unknown>; executions: Record<string, unknown>[] } & JsonObject
    record: Record<string, unknown>
  }
  executions: {
    record: Record<string, unknown>
    state: {
      execution: Record<string, unknown>
      steps: Record<string, unknown>[]
      artifacts: { kind: string; content_hash: string; byte_size: number }[]
    }
  }[]
  model?: { record: Record<string, unknown>; state: { versions: Record<string, unknown>[] } }
  paths: { from: number; previous_hash: string; links: unknown[]; head: Record<string, unknown> }[]
  files: {
    name: string
    role: string
    sha256: string
    execution?: string
    format?: string
    reading?: number
    slug?: string
  }[]
}

/** A proof with another proof.json, made from its own. */
export function rewritten(given: Uint8Array, change: (json: JsonObject, files: Files) => void): Uint8Array {
  const files = filesOf(given)
  const json = JSON.parse(new TextDecoder().decode(files.get('proof.json')))
  change(json, files)
  return zipOf(files.set('proof.json', new TextEncoder().encode(JSON.stringify(json))))
}

export const required = <T>(value: T | undefined): T => value ?? expect.unreachable()
