/** What lies over any screen: the command palette and the list of keys. With the shell, so that no key waits for them. */
import { overlay } from '../keys.ts'
import { KeysHelp } from './keys-help.tsx'
import { Palette } from './palette.tsx'

export function Overlays() {
  switch (overlay.value) {
    case 'palette':
      return <Palette />
    case 'keys':
      return <KeysHelp />
    case undefined:
      return null
  }
}
