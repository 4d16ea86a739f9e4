/** Finds what belongs to an object: in the loaded rows while one types, and on the server by the whole reference. */
import { objectReferenceRule } from '../../core/list-filters.ts'
import { usePages } from '../api/resource.ts'
import type { Submission } from '../api/types.ts'
import { place } from '../router.ts'

/** What the server takes for an object's reference. */
const reference = new RegExp(objectReferenceRule.pattern)

/** The search text in lower case; empty if there is none. */
export function wanted(): string {
  return (place.value.query.get('find') ?? '').trim().toLowerCase()
}

/** The submissions of exactly the object searched for, however old they are. */
export function useSubmissionsOfObject() {
  const find = (place.value.query.get('find') ?? '').trim()
  const path = reference.test(find) ? `/api/v1/submissions?object_reference=${encodeURIComponent(find)}` : undefined
  return usePages<Submission>(path, 'submissions', ({ id }) => id)
}
