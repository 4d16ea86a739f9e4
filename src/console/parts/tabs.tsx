/** Parts of one screen, each with its own address. */
import { useEffect, useRef } from 'preact/hooks'
import { place } from '../router.ts'

export interface Tab {
  /** In the address as `tab`; the first tab has none there. */
  key: string
  title: string
  count?: number | undefined
  /** A dot, and what it says. */
  mark?: string | undefined
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** Names in the address that hold for all tabs. */
  keeps?: readonly string[]
}

export function Tabs({ label, tabs, keeps = [] }: TabsProps) {
  const active = activeTab(tabs)
  const bar = useRef<HTMLElement>(null)
  // On narrow windows the tabs are a strip, and the active one may be out of sight. Its place is measured after the layout:
  // before, it would lay a large screen out twice.
  useEffect(() => {
    const strip = bar.current
    const tab = strip?.querySelector<HTMLElement>('[aria-current]')
    if (!strip || !tab) return
    const left = tab.offsetLeft - strip.offsetLeft
    strip.scrollLeft = left + tab.offsetWidth > strip.clientWidth ? left - tab.offsetWidth : 0
  }, [active])
  return (
    <nav ref={bar} class="tabs" aria-label={label}>
      {tabs.map((tab, index) => (
        <a
          key={tab.key}
          href={addressOf(index === 0 ? undefined : tab.key, keeps)}
          aria-current={tab.key === active ? 'page' : undefined}
        >
          {tab.title}
          {tab.mark !== undefined && (
            <span class="tab-mark" title={tab.mark}>
              <span class="offscreen">, {tab.mark}</span>
            </span>
          )}
          {tab.count !== undefined && <span class="tab-count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  )
}

function addressOf(tab: string | undefined, keeps: readonly string[]): string {
  const { path, query } = place.value
  const kept = new URLSearchParams([...query].filter(([name]) => keeps.includes(name)))
  if (tab !== undefined) kept.set('tab', tab)
  return kept.size === 0 ? path : `${path}?${kept}`
}

export function activeTab(tabs: readonly Tab[]): string {
  const asked = place.value.query.get('tab')
  return (tabs.find((tab) => tab.key === asked) ?? tabs[0])?.key ?? ''
}
