/** The command palette: screens, actions, and everything that the service finds by a part of a name, reference, id or source. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { best, type Searched } from '../../core/search.ts'
import { showOver } from '../focus.ts'
import { overlay } from '../keys.ts'
import { inSentence, t } from '../language.ts'
import { routes } from '../navigation.ts'
import { go } from '../router.ts'
import { savedViews } from '../saved-views.ts'
import { maySee, signOut } from '../session.ts'
import { setTheme } from '../theme.ts'
import { Icon, type IconName } from './icon.tsx'
import { type Source, search } from './palette-sources.ts'

interface Command extends Searched {
  id: string
  /** What kind of thing it is, said beside it. */
  hint: string
  icon: IconName
  run(): void
}

const maxShown = 12
const pauseMs = 150
/** A click beside it closes it, where the browser knows how. */
const dismissable = { closedby: 'any' } as const

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  /** What Enter runs: it stays the same while names are still coming in. */
  const selectedId = useSignal<string | undefined>(undefined)
  /** What was found, and for which text. While the answer for a newer text is awaited, only what fits that one stays. */
  const found = useSignal<{ text: string; commands: readonly Command[] }>({ text: '', commands: [] })
  const shown = useComputed(() => {
    const { text: asked, commands } = found.value
    const still = asked === text.value.trim() ? commands : commands.map((one) => ({ ...one, leastRank: 0 }))
    return matching(text.value, [...screens(), ...views(), ...still, ...actions])
  })
  const selected = useComputed(() =>
    Math.max(
      0,
      shown.value.findIndex(({ id }) => id === selectedId.value),
    ),
  )

  useLayoutEffect(() => {
    if (dialog.current === null) return
    const hide = showOver(dialog.current)
    dialog.current.querySelector('input')?.focus()
    return hide
  }, [])
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      const asked = text.value.trim()
      void search(asked, abort.signal).then((sources) => {
        if (abort.signal.aborted) return
        keepSelected()
        found.value = { text: asked, commands: sources.map(commandOf) }
      })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text.value])
  useLayoutEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [selected.value])

  /** Late results don't change what Enter runs. */
  function keepSelected(): void {
    if (text.peek() !== '') selectedId.value = shown.peek()[selected.peek()]?.id
  }

  function run(command: Command | undefined): void {
    if (command === undefined) return
    close()
    command.run()
  }

  function selectAt(index: number): void {
    selectedId.value = shown.value[index]?.id
  }

  function onKey(event: KeyboardEvent): void {
    const count = shown.value.length
    if (event.key === 'ArrowDown' && count > 0) selectAt((selected.value + 1) % count)
    else if (event.key === 'ArrowUp' && count > 0) selectAt((selected.value + count - 1) % count)
    else if (event.key === 'Enter') run(shown.value[selected.value])
    else return
    event.preventDefault()
  }

  return (
    <dialog ref={dialog} class="palette" aria-label={t`Search or go to`} onCancel={close} {...dismissable}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={shown.value.length > 0 ? `palette-${selected.value}` : undefined}
          aria-label={t`Search or go to`}
          placeholder={t`Any part of a name, a reference or an id`}
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
            selectedId.value = undefined
          }}
          onKeyDown={onKey}
        />
      </div>
      <div id="palette-list" role="listbox" aria-label={t`Matches`} class="palette-list">
        {shown.value.map((command, index) => (
          // The field above has the keys; the options are for the pointer.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={command.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === selected.value}
            class="palette-option"
            onPointerMove={() => {
              selectAt(index)
            }}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span class="palette-title">
              {command.title}
              {command.words?.[0] !== undefined && <span class="palette-word"> {command.words[0]}</span>}
            </span>
            <span class="palette-hint">{command.hint}</span>
          </div>
        ))}
      </div>
      {shown.value.length === 0 && (
        <p class="palette-none">{t`Nothing has that in its name, reference, id or text.`}</p>
      )}
    </dialog>
  )
}

function close(): void {
  overlay.value = undefined
}

function screens(): Command[] {
  return routes
    .filter((route) => (route.entry !== undefined || route.isPublic) && maySee(route))
    .map((route) => ({
      id: route.pattern,
      title: route.title,
      hint: route.entry === undefined ? t`Screen` : `g ${route.entry.key}`,
      icon: route.entry?.icon ?? 'document',
      run: () => go(route.pattern),
    }))
}

function views(): Command[] {
  return savedViews().map(({ name, path, query }) => ({
    id: `view ${path} ${name}`,
    title: name,
    hint: t`View of ${inSentence(routes.find(({ pattern }) => pattern === path)?.title ?? path)}`,
    icon: 'list',
    run: () => go(`${path}?${query}`),
  }))
}

const actions: readonly Command[] = [
  { id: 'light', title: t`Light theme`, hint: t`Action`, icon: 'edit', run: () => setTheme('light') },
  { id: 'dark', title: t`Dark theme`, hint: t`Action`, icon: 'edit', run: () => setTheme('dark') },
  { id: 'system', title: t`Theme of the system`, hint: t`Action`, icon: 'edit', run: () => setTheme('system') },
  { id: 'keys', title: t`Show all keys`, hint: '?', icon: 'list', run: () => (overlay.value = 'keys') },
  { id: 'password', title: t`Change password`, hint: t`Action`, icon: 'user', run: () => go('/password') },
  { id: 'out', title: t`Sign out`, hint: t`Action`, icon: 'arrow', run: () => void signOut().catch(() => {}) },
]

function commandOf({ path, ...source }: Source): Command {
  return { ...source, run: () => go(path) }
}

function matching(text: string, commands: readonly Command[]): Command[] {
  const wanted = text.trim().toLowerCase()
  return best(wanted, commands, maxShown)
}
