import type { Judge } from './judge.service.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'

/**
 * Answers on this thread: for commands, and inside a transaction, which must not wait for a worker. The first question loads the
 * engines, because an idle server asks none and saves their megabytes. Can't answer questions that need drawing.
 */
export const judgeHere: Judge = {
  ask: async <Name extends QuestionName>(name: Name, given: Given<Name>) => {
    const { answer, questions } = await import('./questions.service.ts')
    return answer(questions, name, given) as Verdict<Name>
  },
  start() {},
  close() {},
}
