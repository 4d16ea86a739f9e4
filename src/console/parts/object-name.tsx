/** The object that an execution is about. */
import { useObject } from '../api/objects.ts'
import type { Execution } from '../api/types.ts'

export function ObjectName({ execution }: { execution: Pick<Execution, 'id' | 'submission_id'> }) {
  return <>{useObject(execution.submission_id) ?? `…${execution.id.slice(-12)}`}</>
}
