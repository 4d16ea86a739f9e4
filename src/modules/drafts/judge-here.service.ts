import type { Judge } from './judge.service.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'
import { answer } from './questions.service.ts'

/** Judges on the spot: for commands, and inside a transaction, which must not wait for a worker. */
export const judgeHere: Judge = {
  ask: async <Name extends QuestionName>(name: Name, given: Given<Name>) => answer(name, given) as Verdict<Name>,
  close() {},
}
