/** Every key, on one sheet. */

import { commandKey, overlay } from '../keys.ts'
import { t } from '../language.ts'
import { routes } from '../navigation.ts'
import { maySee } from '../session.ts'
import { Dialog } from './dialog.tsx'

const everywhere: readonly (readonly [keys: readonly string[], does: string])[] = [
  [[commandKey, 'K'], t`Search, or go to a screen`],
  [['/'], t`Filter the list on the screen`],
  [['?'], t`This sheet`],
  [['Esc'], t`Close what is open`],
  [[commandKey, '↵'], t`Run, where something runs`],
  [[commandKey, 'S'], t`Save the draft in an editor`],
]

export function KeysHelp() {
  return (
    <Dialog title={t`Keys`} onClose={close} wide>
      <div class="keys">
        <dl>
          {everywhere.map(([keys, does]) => (
            <Row key={does} keys={keys} does={does} />
          ))}
        </dl>
        <dl>
          {routes
            .filter((route) => route.entry !== undefined && maySee(route))
            .map((route) => (
              <Row key={route.pattern} keys={['g', route.entry?.key ?? '']} does={route.title} />
            ))}
        </dl>
      </div>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}

function Row({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  )
}

function close(): void {
  overlay.value = undefined
}
