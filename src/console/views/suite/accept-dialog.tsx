/** Accepts what cases make now as their expectations: only what was looked at, and nothing that came in between. */

import type * as wire from '../../../client/quire.ts'
import { limits } from '../../../core/limits.ts'
import { call, mutate } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { rich, t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import type { SuiteState, SuiteTarget } from './suite-run.ts'

interface AcceptDialogProps {
  modelId: string
  target: SuiteTarget
  names: readonly string[]
  state: SuiteState
  onDone(): void
  onClose(): void
}

export function AcceptDialog({ modelId, target, names, state, onDone, onClose }: AcceptDialogProps) {
  const path = `/api/v1/suites/${modelId}`
  const one = names.length === 1
  return (
    <FormDialog
      title={one ? t`Accept what ${names[0]} gives now?` : t`Accept what ${names.length} cases give now?`}
      action={t`Accept`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const pages = fields.get('pages') === 'all' ? 'all' : 'kept'
        for (let from = 0; from < names.length; from += limits.suiteRunCases) {
          const slice = names.slice(from, from + limits.suiteRunCases)
          const cases = await looked(path, { target, pages, names: slice, state })
          await mutate(`${path}/acceptances`, { method: 'POST', body: { ...target, pages, cases } })
        }
        onDone()
      }}
    >
      <p>
        {rich`${one ? t`It becomes` : t`They become`} what is expected from now on, as after ${<code>quire test --update</code>}. Only accept what you looked at.`}
      </p>
      {!one && (
        <ul class="suite-names">
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      <fieldset class="choices">
        <legend class="offscreen">{t`Pages`}</legend>
        <label>
          <input type="radio" name="pages" value="kept" defaultChecked /> {t`Pages where some are expected already`}
        </label>
        <label>
          <input type="radio" name="pages" value="all" /> {t`The pages of all documents, too`}
        </label>
      </fieldset>
    </FormDialog>
  )
}

interface Looking {
  target: SuiteTarget
  pages: 'kept' | 'all'
  names: readonly string[]
  state: SuiteState
}

/** Newly expected pages change the hash of what a case makes, so the cases run again, from parts with the same content. */
async function looked(path: string, { target, pages, names, state }: Looking): Promise<wire.SuiteAcceptance['cases']> {
  const seen = names.flatMap((name) => state.results.peek().get(name) ?? [])
  if (pages === 'kept') return seen.map(({ name, case_hash, made_hash }) => ({ name, case_hash, made_hash }))
  const run = await call<wire.SuiteRun>(`${path}/runs`, { method: 'POST', body: { ...target, pages, cases: names } })
  const hashes = (parts: wire.SuiteRun['parts']) => parts.map(({ content_hash: hash }) => hash).join(' ')
  if (hashes(run.parts) !== hashes(state.parts.peek())) {
    const detail = t`A draft was saved since these cases ran. Close this, look at what they give now, and accept that.`
    throw new ApiProblem(409, 'conflict', t`Conflict`, detail)
  }
  return run.cases.map(({ name, case_hash, made_hash }) => ({ name, case_hash, made_hash }))
}
