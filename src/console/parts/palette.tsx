/** The command palette: screens, configuration by name, executions and submissions by id, and a few actions. */
import { useComputed, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { call } from '../api/client.ts'
import type { Family } from '../api/types.ts'
import { showOver } from '../focus.ts'
import { overlay } from '../keys.ts'
import { routes } from '../navigation.ts'
import { go } from '../router.ts'
import { maySee, signOut } from '../session.ts'
import { setTheme } from '../theme.ts'
import { Icon, type IconName } from './icon.tsx'

interface Command {
  id: string
  title: string
  /** What kind of thing it is, said beside it. */
  hint: string
  icon: IconName
  run(): void
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const maxShown = 12
/** A click beside it closes it, where the browser knows how. */
const dismissable = { closedby: 'any' } as const

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  /** What Enter runs: it stays the same while names are still coming in. */
  const selectedId = useSignal<string | undefined>(undefined)
  const families = useSignal<readonly Command[]>([])
  const shown = useComputed(() => matching(text.value, [...screens(), ...families.value, ...actions]))
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
    void readFamilies().then((read) => {
      if (text.peek() !== '') selectedId.value = shown.peek()[selected.peek()]?.id
      families.value = read
    })
    return hide
  }, [])
  useLayoutEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [selected.value])

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
    <dialog ref={dialog} class="palette" aria-label="Search or go to" onCancel={close} {...dismissable}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={shown.value.length > 0 ? `palette-${selected.value}` : undefined}
          aria-label="Search or go to"
          placeholder="A screen, a name, or an id"
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
      <div id="palette-list" role="listbox" aria-label="Matches" class="palette-list">
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
            <span class="palette-title">{command.title}</span>
            <span class="palette-hint">{command.hint}</span>
          </div>
        ))}
      </div>
      {shown.value.length === 0 && <p class="palette-none">Nothing has that name.</p>}
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
      hint: route.entry === undefined ? 'Screen' : `g ${route.entry.key}`,
      icon: route.entry?.icon ?? 'document',
      run: () => go(route.pattern),
    }))
}

const actions: readonly Command[] = [
  { id: 'light', title: 'Light theme', hint: 'Action', icon: 'edit', run: () => setTheme('light') },
  { id: 'dark', title: 'Dark theme', hint: 'Action', icon: 'edit', run: () => setTheme('dark') },
  { id: 'system', title: 'Theme of the system', hint: 'Action', icon: 'edit', run: () => setTheme('system') },
  { id: 'keys', title: 'Show all keys', hint: '?', icon: 'list', run: () => (overlay.value = 'keys') },
  { id: 'password', title: 'Change password', hint: 'Action', icon: 'user', run: () => go('/password') },
  { id: 'out', title: 'Sign out', hint: 'Action', icon: 'arrow', run: () => void signOut().catch(() => {}) },
]

const familyLists = [
  { path: '/contracts', member: 'contracts', hint: 'Contract', icon: 'contract' },
  { path: '/transformers', member: 'transformers', hint: 'Transformer', icon: 'transform' },
  { path: '/templates', member: 'templates', hint: 'Template', icon: 'document' },
  { path: '/ingestion-models', member: 'ingestion_models', hint: 'Ingestion model', icon: 'tree' },
] as const

/** What the person may read; a list that can't be read is simply not searched. */
async function readFamilies(): Promise<Command[]> {
  const read = familyLists.map(async ({ path, member, hint, icon }) => {
    const route = routes.find(({ pattern }) => pattern === `${path}/:id`)
    if (route === undefined || !maySee(route)) return []
    const page = await call<Record<string, Family[]>>(`/api/v1${path}?limit=100`).catch(() => undefined)
    return (page?.[member] ?? []).map((family) => ({
      id: family.id,
      title: family.name,
      hint,
      icon,
      run: () => go(`${path}/${family.id}`),
    }))
  })
  return (await Promise.all(read)).flat()
}

function matching(text: string, commands: readonly Command[]): Command[] {
  const wanted = text.trim().toLowerCase()
  if (uuid.test(wanted)) {
    return [
      { id: 'e', title: `Execution ${wanted}`, hint: 'By id', icon: 'list', run: () => go(`/executions/${wanted}`) },
      { id: 's', title: `Submission ${wanted}`, hint: 'By id', icon: 'inbox', run: () => go(`/submissions/${wanted}`) },
    ]
  }
  const ranked = commands
    .map((command) => ({ command, rank: rankOf(wanted, command.title.toLowerCase()) }))
    .filter(({ rank }) => rank > 0)
  // The sort is stable: among equals the table's order stays.
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxShown)
    .map(({ command }) => command)
}

/** 4 begins with it, 3 a word does, 2 contains it, 1 has its letters in order, 0 no match. */
function rankOf(wanted: string, title: string): number {
  if (title.startsWith(wanted)) return 4
  if (title.includes(` ${wanted}`)) return 3
  if (title.includes(wanted)) return 2
  let from = 0
  for (const letter of wanted) {
    const at = title.indexOf(letter, from)
    if (at < 0) return 0
    from = at + 1
  }
  return 1
}
