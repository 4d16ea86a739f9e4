import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { ComponentType } from 'preact'
import { type CannedPage, openCannedPage } from '../support/canned.ts'
import { expectGoldenLines } from '../support/golden.ts'
import { looks, outline } from '../support/outline.ts'
import { anybody, pages, problem, rows, shown, table } from './parts-shown.ts'

const font = (family: string, match: string, drawn_with = 'Other') => ({ family, match, drawn_with })

describe('parts', () => {
  let page: CannedPage
  beforeAll(async () => {
    page = await openCannedPage({
      'GET /api/v1/templates/p-1/fonts': {
        fonts: ['itself', 'twin', 'measured', 'guessed', 'borrowed'].map((match) => font(`A ${match}`, match)),
      },
      'GET /api/v1/comparisons': {
        ...{ difference: '@@ line 1 @@\n-a\n+b\n', from: { version: 1, content_hash: 'g' }, to: { content_hash: 'h' } },
      },
      'GET /api/v1/templates/p-2/fonts': { fonts: [font('Here', 'itself')] },
      'GET /api/v1/executions/e-1/artifacts/a-pdf/download': () => new Response('%PDF'),
    })
  })
  afterAll(() => page?.close())

  /** Shows a part, does something with it, and takes it away. */
  async function showing(
    [part, name]: readonly [part: string, name: string],
    props: object,
    use: (box: HTMLElement, again: (other: object) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { h, render } = await import('preact')
    const { [name]: Part } = (await import(`../../src/console/${part}.tsx`)) as Record<string, ComponentType<object>>
    const box = document.createElement('div')
    document.body.append(box)
    const again = async (given: object) => {
      render(h(Part as ComponentType<object>, given), box)
      await page.settled()
    }
    try {
      await again(props)
      await use(box, again)
    } finally {
      render(null, box)
      box.remove()
    }
  }

  test('show each state as it is, and nothing where there is none', async () => {
    const lines: string[] = []
    for (const { part, name, states: all, as = anybody } of shown) {
      await page.be(as)
      for (const [state, props] of Object.entries(all)) {
        await showing([part, name], props, async (box) => {
          lines.push(`# ${name}: ${state}`, ...[...box.childNodes].flatMap((one) => shownOf(one)), ...looks(box))
        })
      }
    }
    expect(page.undescribed()).toEqual([])
    expectGoldenLines(join(import.meta.dir, 'golden', 'parts.txt'), lines)
  })

  test('draw the blocks of a long list that are in sight, and keep the place of the others', async () => {
    const observers: FakeObserver[] = []
    const before = globalThis.IntersectionObserver
    class FakeObserver {
      readonly seen: HTMLElement[] = []
      isOver = false
      constructor(
        readonly tell: (entries: object[]) => void,
        readonly options: { root: Element | null; rootMargin: string },
      ) {
        observers.push(this)
      }
      observe(element: HTMLElement): void {
        this.seen.push(element)
      }
      disconnect(): void {
        this.isOver = true
      }
    }
    globalThis.IntersectionObserver = FakeObserver as never
    try {
      const { h } = await import('preact')
      const draw = (row: string) => h('li', {}, h('button', { type: 'button' }, row))
      const list = { rows: rows(80), class: 'all', rowPx: 10, draw }
      await showing(['parts/blocks', 'Blocks'], list, async (box, again) => {
        const drawn = () => [...box.querySelectorAll('ul')].map((one) => one.style.height || one.children.length)
        const tell = async (isIntersecting: boolean, index: number, height = 0) => {
          observers
            .at(-1)
            ?.tell([{ target: observers.at(-1)?.seen[index], isIntersecting, boundingClientRect: { height } }])
          await page.settled()
        }
        expect(observers[0]?.options).toEqual({ root: null, rootMargin: '800px' })
        expect(observers[0]?.seen.map(({ dataset }) => dataset.block)).toEqual(['0', '1', '2', '3'])
        expect(drawn()).toEqual([25, '250px', '250px', '50px'])
        await tell(true, 1)
        expect(drawn()).toEqual([25, 25, '250px', '50px'])
        await tell(false, 0, 321)
        expect(drawn()).toEqual(['321px', 25, '250px', '50px'])
        // A block that was never drawn has no height of its own to keep.
        await tell(false, 2, 4)
        expect(drawn()).toEqual(['321px', 25, '250px', '50px'])
        box.querySelector('button')?.focus()
        await tell(false, 1, 111)
        expect(drawn()).toEqual(['321px', 25, '250px', '50px'])
        await again({ ...list, rows: rows(81) })
        expect(observers.length).toBe(1)
        await again({ ...list, rows: rows(126) })
        expect(observers.map(({ isOver, seen }) => [isOver, seen.length])).toEqual([
          [true, 4],
          [false, 6],
        ])
      })
      expect(observers.at(-1)?.isOver).toBe(true)
      // A list in a pane that scrolls is looked at in it, and one that ends reads on.
      let more = 0
      const paged = pages(2, { more: () => more++ })
      await showing(['parts/data-table', 'PagedTable'], paged, async () => {
        const { tell, options } = observers.at(-1) as FakeObserver
        expect(options.rootMargin).toBe('1200px')
        tell([{ isIntersecting: false }])
        expect(more).toBe(0)
        tell([{ isIntersecting: false }, { isIntersecting: true }])
        expect(more).toBe(1)
      })
    } finally {
      globalThis.IntersectionObserver = before
    }
  })

  test('draw the rows of a table around those in sight, first those that a jump leads to', async () => {
    await showing(['parts/data-table', 'DataTable'], table(1_000), async (box) => {
      const body = box.querySelector('tbody') as HTMLElement
      const drawn = () => {
        const own = [...body.querySelectorAll('tr:not(.spacer)')].map((row) => row.getAttribute('aria-rowindex'))
        return [
          own[0],
          own.at(-1),
          ...[...body.querySelectorAll<HTMLElement>('.spacer')].map(({ style }) => style.height),
        ]
      }
      const scrollTo = async (px: number) => {
        body.getBoundingClientRect = () => ({ top: -px }) as DOMRect
        window.dispatchEvent(new Event('scroll'))
        await page.settled()
      }
      expect(drawn()).toEqual(['2', '61', '42300px'])
      await scrollTo(45 * 35)
      expect(drawn()).toEqual(['2', '61', '42300px'])
      // Twenty rows are in sight; five more behind them have to be there.
      await scrollTo(45 * 36)
      expect(drawn()).toEqual(['28', '67', '1170px', '42030px'])
      await scrollTo(45 * 500)
      expect(drawn()).toEqual(['492', '531', '22050px', '21150px'])
      body.getBoundingClientRect = () => ({ top: 90 }) as DOMRect
      window.dispatchEvent(new Event('resize'))
      await page.settled()
      expect(drawn()).toEqual(['2', '29', '43740px'])
    })
  })

  test('draw the lines of a long text around those in sight', async () => {
    const text = rows(1_000).join('\n')
    await showing(['parts/source-view', 'SourceView'], { label: 'Text', text }, async (box) => {
      const source = box.querySelector('pre') as HTMLPreElement
      const drawn = () => {
        const own = [...source.querySelectorAll('[data-line]')].map((line) => line.getAttribute('data-line'))
        return [
          own[0],
          own.at(-1),
          ...[...source.querySelectorAll<HTMLElement>('.source-gap')].map(({ style }) => style.height),
        ]
      }
      expect(drawn()).toEqual(['1', '60', '0px', '18800px'])
      // Five and a half rows are in sight.
      Object.defineProperty(source, 'clientHeight', { value: 110 })
      for (const [top, expected] of [
        [299, ['1', '60', '0px', '18800px']],
        [300, ['1', '66', '0px', '18680px']],
        [1_000, ['16', '81', '300px', '18380px']],
        [19_990, ['961', '1000', '19200px', '0px']],
      ] as const) {
        source.scrollTop = top
        source.dispatchEvent(new Event('scroll'))
        await page.settled()
        expect([top, ...drawn()]).toEqual([top, ...expected])
      }
    })
  })

  test('bring the line into view that is asked for, or that is marked first', async () => {
    const given = { label: 'Text', text: rows(30).join('\n'), marks: [{ line: 11 }, { line: 3 }] }
    await showing(['parts/source-view', 'SourceView'], given, async (box, again) => {
      const source = box.querySelector('pre') as HTMLPreElement
      expect(source.scrollTop).toBe(200)
      expect(document.activeElement).not.toBe(source)
      // In the middle of the box.
      Object.defineProperty(source, 'clientHeight', { value: 110 })
      await again({ ...given, reveal: { line: 21 } })
      expect(source.scrollTop).toBe(345)
      expect(document.activeElement).toBe(source)
      await again({ ...given, reveal: { line: 99 } })
      expect(source.scrollTop).toBe(345)
    })
  })

  test('copy what they show, and say so for a moment', async () => {
    const copied: string[] = []
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void copied.push(text) },
      configurable: true,
    })
    // The moment is over when this test says so.
    const before = globalThis.setTimeout
    let end = () => {}
    globalThis.setTimeout = ((action: () => void, ms = 0) => {
      if (ms < 1_000) return before(action, ms)
      end = action
      return 0
    }) as never
    try {
      for (const [name, props] of [
        ['Copyable', { value: '0123456789', label: 'id', chars: 4 }],
        ['CopyButton', { text: '0123456789', label: 'id' }],
      ] as const) {
        await showing(['parts/copyable', name], props, async (box) => {
          const said = () => box.querySelector('[role=status]')?.textContent
          expect(said()).toBe('')
          box.querySelector('button')?.click()
          await page.settled()
          expect([said(), looks(box)]).toEqual(['Copied', ['~ icon check']])
          expect(copied.splice(0)).toEqual(['0123456789'])
          end()
          await page.settled()
          expect(said()).toBe('')
        })
      }
    } finally {
      globalThis.setTimeout = before
    }
  })

  test('take a file that is dropped on them, and show where it would fall', async () => {
    const taken: File[] = []
    const given = { text: 'Drop it', onFile: (file: File) => taken.push(file) }
    await showing(['views/template/drop-zone', 'DropZone'], given, async (box) => {
      const zone = box.querySelector('label') as HTMLElement
      const tell = async (name: string, more: object = {}) => {
        const event = Object.assign(new Event(name, { bubbles: true, cancelable: true }), more)
        zone.dispatchEvent(event)
        await page.settled()
        return [zone.dataset.over, event.defaultPrevented]
      }
      expect(await tell('dragover')).toEqual(['true', true])
      expect(await tell('dragleave', { relatedTarget: zone.querySelector('span') })).toEqual(['true', false])
      expect(await tell('dragleave', { relatedTarget: document.body })).toEqual(['false', false])
      await tell('dragover')
      expect(await tell('dragleave', { relatedTarget: null })).toEqual(['false', false])
      await tell('dragover')
      const file = new File(['PK'], 'letter.docx')
      expect(await tell('drop', { dataTransfer: { files: [file] } })).toEqual(['false', true])
      expect(await tell('drop', { dataTransfer: { files: [] } })).toEqual(['false', true])
      expect(taken.map(({ name, type, size }) => [name, type, size])).toEqual([
        ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 2],
      ])
    })
  })

  test('show a PDF in the browser’s own viewer, once it has something to show', async () => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true, configurable: true })
    const given = { blob: new Blob(['%PDF']), title: 'Letter' }
    await showing(['parts/pdf-frame', 'PdfFrame'], given, async (box, again) => {
      const frame = () => box.querySelector('iframe') as HTMLIFrameElement
      expect([frame().title, frame().dataset.shown]).toEqual(['Letter', 'false'])
      const address = box.querySelector('a')?.getAttribute('href') ?? ''
      expect(frame().getAttribute('src')).toBe(`${address}#toolbar=0&navpanes=0&view=FitH`)
      frame().dispatchEvent(new Event('load'))
      await page.settled()
      expect(frame().dataset.shown).toBe('true')
      await again({ ...given, blob: new Blob(['%PDF 2']) })
      expect(frame().dataset.shown).toBe('false')
      expect(frame().getAttribute('src')?.startsWith(address)).toBe(false)
    })
  })

  test('close by Escape, but not because a file field inside was cancelled, and open again when the browser closes them', async () => {
    const { h } = await import('preact')
    let closed = 0
    const given = { title: 'Title', onClose: () => closed++, children: h('input', { type: 'file' }) }
    await showing(['parts/dialog', 'Dialog'], given, async (box) => {
      const dialog = box.querySelector('dialog') as HTMLDialogElement
      const cancel = (from: Element) => {
        const event = new Event('cancel', { cancelable: true, bubbles: true })
        from.dispatchEvent(event)
        return [closed, event.defaultPrevented]
      }
      expect(cancel(dialog.querySelector('input') as Element)).toEqual([0, false])
      expect(cancel(dialog)).toEqual([1, true])
      let opened = 0
      dialog.showModal = () => void opened++
      dialog.dispatchEvent(new Event('close'))
      expect([opened, closed]).toEqual([1, 1])
      expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('Title')
    })
  })

  test('tell of a fault that no place of the screen is for, until somebody closes it', async () => {
    const { unexpected } = await import('../../src/console/faults.ts')
    await showing(['parts/unexpected-note', 'UnexpectedNote'], {}, async (box) => {
      unexpected.value = problem() as never
      await page.settled()
      expect(outline(box)).toContain('    p "No."')
      box.querySelector<HTMLButtonElement>('[aria-label=Close]')?.click()
      await page.settled()
      expect<unknown[]>([unexpected.value, box.childElementCount]).toEqual([undefined, 0])
    })
  })

  test('filter once typing pauses or ends, by nothing that the server does not take', async () => {
    const filter = { name: 'object', label: 'Object', pattern: '[a-z ]+', isSearch: true, placeholder: 'Any', size: 7 }
    const asked = () => new URLSearchParams(window.location.search).get('object')
    await page.open('/nowhere?object=before')
    await showing(['parts/filters', 'TextFilter'], filter, async (box) => {
      const field = box.querySelector('input') as HTMLInputElement
      expect<unknown[]>([field.value, field.size, field.placeholder, field.pattern, field.dataset.search]).toEqual([
        ...['before', 7, 'Any', '[a-z ]+', ''],
      ])
      const type = (value: string, event = 'input') => {
        field.value = value
        field.dispatchEvent(new Event(event, { bubbles: true }))
      }
      type(' typed ')
      expect(asked()).toBe('before')
      await page.settled()
      expect(asked()).toBe('typed')
      type('0')
      Object.defineProperty(field, 'validity', { value: { valid: false }, configurable: true })
      await page.settled()
      expect(asked()).toBe('typed')
      Object.defineProperty(field, 'validity', { value: { valid: true }, configurable: true })
      type('entered', 'change')
      expect(asked()).toBe('entered')
      // Who types is not disturbed; else the field follows the address.
      field.focus()
      await page.open('/nowhere?object=elsewhere')
      expect(field.value).toBe('entered')
      field.blur()
      await page.open('/nowhere?object=back')
      expect(field.value).toBe('back')
      type('gone')
      await page.open('/nowhere')
      expect([field.value, asked()]).toEqual(['', null])
    })
    const plain = { name: 'from', label: 'From', type: 'datetime-local' }
    await showing(['parts/filters', 'TextFilter'], plain, async (box) => {
      const field = box.querySelector('input') as HTMLInputElement
      expect<unknown[]>([field.type, field.dataset.search, field.hasAttribute('pattern')]).toEqual([
        'datetime-local',
        undefined,
        false,
      ])
    })
  })

  test('call a browser by the name that people know', async () => {
    const { browserOf } = await import('../../src/console/parts/session-list.tsx')
    const mozilla =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Safari/537.36'
    for (const [agent, name] of [
      [`${mozilla} Edg/138.0`, 'Edge on Windows'],
      [`${mozilla} OPR/120.0`, 'Opera on Windows'],
      [mozilla, 'Chrome on Windows'],
      ['Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0', 'Firefox on Linux'],
      ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/138.0 Safari/537.36', 'Chrome on Android'],
      ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1', 'Safari on iPhone'],
      ['Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) Version/18.5 Safari/604.1', 'Safari on iPad'],
      ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_5) Version/18.5 Safari/605.1.15', 'Safari on macOS'],
      ['curl/8.14.1', 'curl'],
      ['Bun/1.4', 'Bun'],
      ['python-requests/2.32', 'Python'],
      ['Something/1.0 (Linux)', 'A program'],
      [undefined, 'A program'],
    ] as const) {
      expect([agent, browserOf(agent)]).toEqual([agent, name])
    }
  })
})

const shownOf = (node: ChildNode) => (node instanceof Element ? outline(node) : [`${node.textContent}`])
