/** The object that an execution is about, and the model and node that it runs. */
import { useObject } from '../api/objects.ts'
import type { Execution, Submission } from '../api/types.ts'

type Run = Pick<Execution, 'id' | 'submission_id'>

export function ObjectName({ execution }: { execution: Run }) {
  const known = useObject(execution.submission_id)
  return known === undefined ? <IdEnd of={execution.id} /> : <Reference of={known} />
}

/** Submissions without a reference are called by their own id. */
export function Reference({
  of: { id, object_reference: reference },
}: {
  of: Pick<Submission, 'id' | 'object_reference'>
}) {
  return reference === id ? <IdEnd of={id} /> : reference
}

/** The end of an id tells rows apart: those made together begin alike. */
function IdEnd({ of }: { of: string }) {
  return <code title={of}>…{of.slice(-12)}</code>
}

export function useNode(execution: Run): string[] {
  const known = useObject(execution.submission_id)
  const node = known?.executions.find(({ id }) => id === execution.id)?.node_label
  return known === undefined ? [] : [known.model_slug, ...(node === undefined ? [] : [node])]
}
