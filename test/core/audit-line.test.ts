import { expect, test } from 'bun:test'
import { isRefusal } from '../../src/core/audit-line.ts'

test('a record of somebody who was refused is told by the end of its action', () => {
  for (const action of [
    'session.refused',
    'user.password_change_refused',
    'session.throttled',
    'user.login_throttled',
  ]) {
    expect([action, isRefusal({ action })]).toEqual([action, true])
  }
  for (const action of ['session.opened', 'refused', 'user.unrefused', 'session.refused_again', 'a.refusedly']) {
    expect([action, isRefusal({ action })]).toEqual([action, false])
  }
})
