import { beforeAll, describe, expect, test } from 'bun:test'
import { projectFiles } from '../../src/commands/init.ts'
import { demo } from '../../src/demo/demo.ts'
import { type Project, quire } from '../../src/testing/testing.ts'
import { folderWith } from '../project/fixture.ts'

/** The demo as its authors would test it: the project that `quire init` makes, with what `@quire/testing` gives. */
describe('the demo’s letter', () => {
  let project: Project

  beforeAll(async () => {
    project = quire(folderWith(await projectFiles()))
  })

  test('goes to the policyholder, with the dates of the policy year', async () => {
    const letter = await project.runCase('clws-policy/monthly')
    expect(letter).toSatisfyContract()
    expect(letter).toContainText('Niamh Brennan / 7 Rosewood Lane / Galway H91 X5D2 / IRELAND')
    expect(letter).toContainText('Dear Ms Brennan,')
    expect(letter).toContainText('from 1 April 2026 to 31 March 2027')
    expect(letter.output).toSatisfyContract({ type: 'object', required: ['date', 'firstDueDate'] })
  })

  test('lists every instalment with its period, and adds them up', async () => {
    const letter = await project.runCase('clws-policy/monthly')
    expect(letter).toHaveRows([
      ['No.', 'Period covered', 'Due date', 'Amount'],
      [1, '1 Apr 2026 – 30 Apr 2026', '1 April 2026', '€101.66'],
    ])
    expect(letter).toHaveRows([
      [12, '1 Mar 2027 – 31 Mar 2027', '1 March 2027', '€101.66'],
      ['Total for the policy year', '€1,219.92'],
      [expect.stringContaining('levy of 3%'), expect.anything()],
    ])
  })

  test('says how to pay in words that fit the way that was chosen', async () => {
    const [monthly, semiannual, annual] = await Promise.all(
      ['monthly', 'semiannual', 'annual'].map((name) => project.runCase(`clws-policy/${name}`)),
    )
    expect(monthly).toContainText('we debit each amount on its due date')
    expect(semiannual).not.toContainText('we debit each amount')
    expect(annual).not.toContainText('Paying in instalments adds')
  })

  test('takes two pages, and draws them with fonts that keep its lines', async () => {
    for (const name of ['monthly', 'semiannual', 'annual']) {
      const letter = await project.runCase(`clws-policy/${name}`)
      expect([name, letter.pageCount, (await letter.pages()).length]).toEqual([name, 2, 2])
      expect(letter.report.fonts.map(({ family, code }) => [family, code])).toEqual([['Calibri', 'render.font_twin']])
    }
  })

  test('is refused with every place that is wrong', async () => {
    const letter = await project.runCase('clws-policy/invalid')
    expect(letter).not.toSatisfyContract()
    expect(letter.refusal).toMatchObject({ step: 'validate', code: 'contract_violated' })
    expect(letter.refusal?.issues.map(({ path }) => path)).toEqual([
      '/policy/number',
      '/policyholder/title',
      '/instalments/1/amount',
    ])
  })

  test('leaves out the adviser whom a policy does not have', async () => {
    const { agent, ...notice } = JSON.parse(demo.scenarios[0].raw_input)
    expect(agent.name).toBe('Tomás Gallagher')
    expect(await project.run('clws-policy', { ...notice, agent })).toContainText(
      'Your personal adviser, Tomás Gallagher',
    )
    const letter = await project.run('clws-policy', notice)
    expect(letter).not.toContainText('adviser')
    expect(letter).toContainText('Do you have any questions?')
  })
})
