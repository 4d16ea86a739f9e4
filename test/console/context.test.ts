import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Named, NamedContent } from '../../src/console/views/transformer/context.ts'
import { type CannedPage, openCannedPage } from '../support/canned.ts'
import { contracts, listed, unable, version } from './families.ts'

let page: CannedPage
beforeAll(async () => {
  page = await openCannedPage()
  await page.be(['administrator', 'operator'])
})
afterAll(() => page?.close())

const letter = (number: number): Named => ({ contract: { name: 'Letter', version: number } })
const head = (number: number): Named => ({ template: { slug: 'letterhead', version: number } })

test('what a source names is read, kept while something else is typed, and dropped where there is no such family', async () => {
  const { h, render } = await import('preact')
  const { useNamed } = await import('../../src/console/views/transformer/context.ts')
  let release = () => {}
  const free = new Promise<void>((resolve) => {
    release = resolve
  })
  page.answer({
    'GET /api/v1/contracts': contracts(),
    'GET /api/v1/templates': { templates: [listed('p-1', 'letterhead', 'Letterhead')] },
    'GET /api/v1/contracts/k-1/versions/1': async () => {
      await free
      return { ...version(1), schema: 'of the first' }
    },
    'GET /api/v1/contracts/k-1/versions/2': { ...version(2, { id: 'kv-2' }), schema: 'of the second' },
    'GET /api/v1/contracts/k-1/versions/9': unable,
    'GET /api/v1/templates/p-1/versions/1': { ...version(1), bindings: [] },
    'GET /api/v1/templates/p-1/versions/9': unable,
  })
  let found: NamedContent | undefined
  const Screen = ({ named }: { named: Named }) => {
    found = useNamed(named)
    return null
  }
  const box = document.createElement('div')
  const show = (named: Named) => render(h(Screen, { named }), box)
  const names = async (named: Named) => {
    show(named)
    await page.settled()
    return [found?.contract, found?.template, found?.bindings]
  }
  const second = { id: 'k-1', versionId: 'kv-2', schema: 'of the second' }
  try {
    expect(await names({})).toEqual([undefined, undefined, undefined])
    expect(found?.contracts.map(({ slug }) => slug)).toEqual(['letter'])
    // The first version comes in only when the second is named already.
    show(letter(1))
    await Bun.sleep(1)
    show(letter(2))
    release()
    expect(await names(letter(2))).toEqual([second, undefined, undefined])
    expect(await names({ ...letter(2), ...head(1) })).toEqual([second, { id: 'p-1' }, []])
    expect(await names({ ...letter(9), ...head(9) })).toEqual([second, { id: 'p-1' }, []])
    expect(await names({ contract: { name: 'Nobody', version: 1 }, ...head(1) })).toEqual([
      undefined,
      { id: 'p-1' },
      [],
    ])
    expect(await names({ contract: { name: 'letter', version: 2 }, template: { slug: 'nobody', version: 1 } })).toEqual(
      [...[second, undefined, undefined]],
    )
    expect(await names(head(1))).toEqual([undefined, { id: 'p-1' }, []])
    expect(await names({})).toEqual([undefined, undefined, undefined])
  } finally {
    release()
    render(null, box)
  }
})
