/** Parts of one screen, each with its own address. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { place } from '../router.ts'

export interface Tab {
  /** In the address as `tab`; the first tab has none there. */
  key: string
  title: string
  count?: number | undefined
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const active = activeTab(tabs)
  const bar = useRef<HTMLElement>(null)
  // On narrow windows the tabs are a strip, and the active one may lie outside.
  useLayoutEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && tab) bar.current.scrollLeft = tab.offsetLeft - bar.current.offsetLeft - tab.offsetWidth
  }, [active])
  return (
    <nav ref={bar} class="tabs" aria-label={label}>
      {tabs.map((tab, index) => (
        <a
          key={tab.key}
          href={index === 0 ? place.value.path : `${place.value.path}?tab=${tab.key}`}
          aria-current={tab.key === active ? 'page' : undefined}
        >
          {tab.title}
          {tab.count !== undefined && <span class="tab-count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  )
}

export function activeTab(tabs: readonly Tab[]): string {
  const asked = place.value.query.get('tab')
  return (tabs.find((tab) => tab.key === asked) ?? tabs[0])?.key ?? ''
}
