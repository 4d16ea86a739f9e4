/** The console shows a drawn page as layers: together they have to look as the drawing does. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Browser, Page } from 'playwright-core'
import { layersOf } from '../../src/engines/pdf/draw/layers.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { drawDocx } from '../../src/engines/pdf/pdf.ts'
import { skipsBrowserTests, startBrowser } from '../support/browser.ts'
import { testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

const documents = join(import.meta.dir, '../engines')

/** Where letters overlap, edges that were drawn twice are drawn once: of 255 shades this many pass for the same. */
const tolerance = 48

describe.skipIf(skipsBrowserTests('layers of pages in a browser'))('the layers of a page', () => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await startBrowser()
    page = await browser.newPage()
  }, testMs)

  afterAll(() => browser?.close())

  test('look as the page does, in every document that the tests have', async () => {
    const options = { fonts: embeddedFonts() }
    let compared = 0
    const different: string[] = []
    for await (const file of new Glob('{docx,pdf}/**/*.docx').scan({ cwd: documents })) {
      const drawn = drawDocx(await Bun.file(join(documents, file)).bytes(), options)
      if (!drawn.ok) continue
      for (const [index, { svg, width, height }] of drawn.value.pages.slice(0, 3).entries()) {
        const { differing, inked } = await difference(svg, layersOf(svg), Math.round(width), Math.round(height))
        if (differing > 0) different.push(`${file}, page ${index + 1}: ${differing} of ${inked}`)
        compared++
      }
    }
    expect(different).toEqual([])
    expect(compared).toBeGreaterThan(30)
  })

  test('differ where a letter is missing', async () => {
    const run = '<g fill="#000000" transform="matrix(0.01 0 0 -0.01 50 50)"><use href="#g0" x="0"/></g>'
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs><path id="g0" d="M0 0L900 0L0 900Z"/></defs><rect width="100%" height="100%" fill="#fff"/>${run}</svg>`
    expect((await difference(svg, [svg.replace(run, '')], 100, 100)).differing).toBeGreaterThan(20)
  })

  function difference(svg: string, layers: readonly string[], width: number, height: number) {
    return page.evaluate(
      async ({ svg, layers, width, height, tolerance }) => {
        const pixelsOf = async (drawings: readonly string[]) => {
          const canvas = new OffscreenCanvas(width, height)
          const context = canvas.getContext('2d')
          if (context === null) throw new Error('there is no canvas')
          for (const drawing of drawings) {
            const address = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }))
            const image = new Image()
            image.src = address
            await image.decode()
            context.drawImage(image, 0, 0, width, height)
            URL.revokeObjectURL(address)
          }
          return context.getImageData(0, 0, width, height).data
        }
        const [whole, layered] = [await pixelsOf([svg]), await pixelsOf(layers)]
        let differing = 0
        let inked = 0
        for (let at = 0; at < whole.length; at++) {
          if (whole[at] !== 255) inked++
          if (Math.abs((whole[at] ?? 0) - (layered[at] ?? 0)) > tolerance) differing++
        }
        return { differing, inked }
      },
      { svg, layers, width, height, tolerance },
    )
  }
})
