/**
 * The overlays of every screen: the command palette and the list of keys. They are part of the shell, so that no key
 * has to wait for their code.
 */
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
