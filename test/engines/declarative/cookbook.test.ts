import { describe, expect, test } from 'bun:test'
import { examplesOf, outputOfExample, readPage } from './page-examples.ts'

const page = await readPage('cookbook')
const recipes = examplesOf(page, /^### (.*)$/)

describe('the cookbook', () => {
  test('has forty recipes or more, each with an example that runs', () => {
    const titles = [...page.matchAll(/^### (.*)$/gm)].map(([, title]) => title ?? '')
    expect(recipes.map(({ section }) => section)).toEqual(titles)
    expect(new Set(titles).size).toBe(titles.length)
    expect(titles.length).toBeGreaterThanOrEqual(40)
  })

  test.each(recipes)('makes the printed output of “$section”, in less than thirty lines', (recipe) => {
    expect(outputOfExample(recipe)).toEqual(recipe.output)
    expect(recipe.source.split('\n').length).toBeLessThan(30)
  })
})
