import { mutate } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { TemplateDraft } from '../../api/types.ts'

/**
 * Puts a file in the place of the draft that was seen, and of no other. False if somebody changed the draft meanwhile.
 *
 * @param path of the template, `/api/v1/templates/<id>`
 * @param seen undefined if there was no draft
 * @throws ApiProblem
 */
export async function putFile(path: string, file: File, seen: TemplateDraft | undefined): Promise<boolean> {
  const condition: Record<string, string> =
    seen === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${seen.revision}"` }
  try {
    await mutate(`${path}/draft`, { method: 'PUT', headers: condition, body: file })
    return true
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 412) throw error
    return false
  }
}
