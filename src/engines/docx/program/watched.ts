/** Programs that report each step before running it, to find steps that no data reaches. */
import type { Op, Step } from './ops.ts'
import type { CompiledPart } from './program.ts'

/** The part with a `watch` step before each step that depends on data. */
export function watchedPart(part: CompiledPart): CompiledPart {
  const notes = new Map([...part.notes].map(([name, ops]) => [name, watchedOps(ops)]))
  return { ...part, ops: watchedOps(part.ops), notes }
}

function watchedOps(ops: readonly Op[]): Op[] {
  return ops.flatMap((op): Op[] => {
    if (typeof op === 'string') return [op]
    if (op.op === 'any') {
      // An `any` step drops its body if no block in it produces anything. Its watches go first, so they always run.
      const body = watchedOps(op.body)
      return [...body.filter(isWatch), { ...op, body: body.filter((each) => !isWatch(each)) }]
    }
    const step = withWatchedParts(op)
    return isWatched(step) ? [{ op: 'watch', step }, step] : [step]
  })
}

function isWatch(op: Op): boolean {
  return typeof op !== 'string' && op.op === 'watch'
}

function isWatched({ op }: Step): boolean {
  return (
    op === 'chart' ||
    op === 'shade' ||
    op === 'merge' ||
    op === 'text' ||
    op === 'picture' ||
    op === 'rich' ||
    op === 'if' ||
    op === 'check' ||
    op === 'with' ||
    op === 'each'
  )
}

function withWatchedParts(step: Step): Step {
  switch (step.op) {
    case 'if':
    case 'with':
    case 'each':
      return { ...step, body: watchedOps(step.body), otherwise: watchedOps(step.otherwise) }
    case 'keep':
    case 'table':
    case 'grid':
    case 'row':
    case 'cell':
      return { ...step, body: watchedOps(step.body) }
    case 'link':
      return { ...step, address: watchedOps(step.address) }
    default:
      return step
  }
}
