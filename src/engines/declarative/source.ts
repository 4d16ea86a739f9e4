import type { Outcome } from '../../core/finding.ts'
import { type Remedies, readTree, type SourceFormat } from '../../core/source/read.ts'
import type { SourceNode } from '../../core/source/tree.ts'

const remedies: Remedies = {
  alias: 'Write the value out, or bind it in let and read it as $name.',
  anchor: 'Bind a shared value in let and read it as $name.',
  merge: 'Use $merge, or write the keys out.',
  deep: 'Bind inner values in let.',
  long: 'Split it into several transformers.',
  empty: 'Start with "transform: declarative-v1".',
}

/** A transformer's text as a tree in which every node knows its place. */
export function readSource(text: string, format: SourceFormat): Outcome<SourceNode> {
  return readTree(text, format, remedies)
}
