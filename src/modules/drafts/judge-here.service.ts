import type { Judge } from './judge.service.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'

/**
 * Judges on the spot: for commands, and inside a transaction, which must not wait for a worker. The engines are loaded by
 * the first question: an idle server asks none, and would hold megabytes for them. It draws nothing.
 */
export const judgeHere: Judge = {
  ask: async <Name extends QuestionName>(name: Name, given: Given<Name>) => {
    const { answer, questions } = await import('./questions.service.ts')
    return answer(questions, name, given) as Verdict<Name>
  },
  start() {},
  close() {},
}
