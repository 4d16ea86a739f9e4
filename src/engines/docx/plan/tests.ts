/** What decides which parts of a block appear. */
import type { Block } from './blocks.ts'
import type { Test } from './items.ts'

export function testOf({ open, middles }: Pick<Block, 'open' | 'middles'>): Test {
  const { syntax } = open.tag
  if (syntax.kind === 'commentbegin') return never
  if (syntax.kind === 'with') return { kind: 'with', value: syntax.value, isOptional: middles.length > 0 }
  if (syntax.kind === 'keep') {
    const { form } = open.tag.paragraph
    return { kind: 'keep', prefix: form.kind === 'run' ? form.prefix : '' }
  }
  return syntax.kind === 'each'
    ? { kind: 'each', list: syntax.value, restarts: syntax.restarts }
    : { kind: 'if', condition: syntax.condition }
}

const never: Test = { kind: 'if', condition: { kind: 'truth', value: { kind: 'literal', value: false } } }

/** The tests that decide which part of the block appears. */
export function testsOf(block: Block): Test[] {
  const others = block.middles.flatMap(({ tag: { syntax } }): Test[] =>
    syntax.kind === 'elseif' ? [{ kind: 'if', condition: syntax.condition }] : [],
  )
  return [testOf(block), ...others]
}
