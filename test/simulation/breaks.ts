import { type Break, breaks as crashBreaks } from '../crash/breaks.ts'

/** A protection that is taken away, which the simulation must notice. */
export type PlantedBug = Pick<Break, 'name' | 'takesAway' | 'edits'>

/** Of test/crash/breaks.ts: what happens between the parts that are simulated. */
const reached = [
  'told-before-commit',
  'row-before-bytes',
  'no-takeover',
  'all-in-hand-counted',
  'key-forgotten',
  'no-fence',
  'put-not-checked',
  'outage-counted',
  'marked-before-puback',
  'backwards',
  'all-at-once',
  'new-id-each-time',
  'files-not-compared',
]

export const plantedBugs: readonly PlantedBug[] = [
  ...crashBreaks.filter(({ name }) => reached.includes(name)),
  {
    name: 'commits-not-synced',
    takesAway: 'a commit is on the disk before anybody is told',
    edits: [{ file: 'src/db/libsql-connection.ts', find: "'synchronous=FULL'", replace: "'synchronous=NORMAL'" }],
  },
  {
    name: 'found-not-synced',
    takesAway: 'an object that is already there is durable before it is acknowledged',
    edits: [
      {
        file: 'src/objects/directory.ts',
        find: 'await syncEntry(this.#files, file)\n      await this.#syncFolders(hash, folder)\n',
        replace: '\n',
      },
    ],
  },
  {
    name: 'object-not-synced',
    takesAway: 'the bytes of an object are on the disk before it has its name',
    edits: [
      {
        file: 'src/objects/directory.ts',
        find: 'await handle.writeFile(bytes)\n    await handle.sync()\n',
        replace: 'await handle.writeFile(bytes)\n',
      },
    ],
  },
  {
    name: 'earlier-leases-kept',
    takesAway: 'a start ends the leases of the run before, also where the database takes no commit at first',
    edits: [
      {
        file: 'src/runner/runner.ts',
        find: 'if (unavailable(error) === undefined || this.#isDraining) return false\n',
        replace: 'return false\n',
      },
    ],
  },
  {
    name: 'doubt-kept',
    takesAway: 'a connection whose disk failed is replaced',
    edits: [
      {
        file: 'src/db/libsql-connection.ts',
        find: "if (DOUBTFUL.test(detailOf(error) ?? '')) this.#doubt = error",
        replace: 'void DOUBTFUL',
      },
    ],
  },
  {
    name: 'due-times-kept',
    takesAway: 'what waits for a time before which the clock was set back goes on',
    edits: [
      {
        file: 'src/runner/runner.ts',
        find: 'if (!(await hasDisplacedStep(database.read, waits))) return\n',
        replace: 'if (!(await hasDisplacedStep(database.read, waits)) || waits.leaseMs > 0) return\n',
      },
    ],
  },
  {
    name: 'roles-kept',
    takesAway: 'a role whose end lies too far ahead, since the clock was set back, ends',
    edits: [
      {
        file: 'src/bus/lease.ts',
        find: 'const isDisplaced = sql`',
        replace: 'const isDisplaced = sql`1 = 0 and ',
      },
    ],
  },
  {
    name: 'store-not-asked',
    takesAway: 'a commit counts only in the store that was opened, on a server too',
    edits: [
      {
        file: 'src/db/bound.ts',
        find: 'if (required === undefined) return work(connection)',
        replace: 'if (required !== null) return work(connection)',
      },
    ],
  },
  {
    name: 'children-forgotten',
    takesAway: 'what waits for its parent begins once that is done',
    edits: [
      {
        file: 'src/runner/record.store.ts',
        find: '    await startChildren(tx, claim.executionId, at)\n',
        replace: '',
      },
    ],
  },
  {
    name: 'sealed-from-the-start',
    takesAway: 'the chain goes on where it ended',
    edits: [
      {
        file: 'src/modules/audit/audit.sealer.ts',
        find: 'let previousHash = (await listSealed(tx, position, position + 1))[0]?.hash ?? CHAIN_START',
        replace: 'let previousHash = CHAIN_START',
      },
    ],
  },
  // Batches.
  {
    name: 'pause-not-asked',
    takesAway: 'nothing is submitted once a pause is answered',
    edits: [
      {
        file: 'src/modules/batches/batches.store.ts',
        find: "eq(batches.status, 'running'), eq(batches.nextRow, nextRow)",
        replace: 'eq(batches.nextRow, nextRow)',
      },
    ],
  },
  {
    name: 'completed-at-once',
    takesAway: 'a batch is completed when its last row has ended',
    edits: [
      {
        file: 'src/modules/batches/batches.store.ts',
        find: "and state in ('waiting', 'submitted'))",
        replace: "and state in ('nothing'))",
      },
    ],
  },
  // Webhooks.
  {
    name: 'deliveries-overtake',
    takesAway: 'of one aggregate the next delivery waits for the one before',
    edits: [
      {
        file: 'src/modules/webhooks/webhooks.store.ts',
        find: "and earlier.status = 'pending')",
        replace: "and earlier.status = 'nothing')",
      },
    ],
  },
  {
    name: 'earlier-events-sent',
    takesAway: 'a receiver gets nothing of before its registration',
    edits: [
      {
        file: 'src/modules/webhooks/webhooks.fan-out.service.ts',
        find: ': event.webhookNumber < number\n',
        replace: ': event.webhookNumber < 0 * number\n',
      },
    ],
  },
  {
    name: 'receivers-read-first',
    takesAway: 'a receiver that is registered while events become deliveries is among them',
    edits: [
      {
        file: 'src/modules/webhooks/webhooks.fan-out.service.ts',
        find: '  const receivers = await listWebhooks(database.read)\n',
        replace: '',
      },
      {
        file: 'src/modules/webhooks/webhooks.fan-out.service.ts',
        find: '  const chains = await loadChains(',
        replace: '  const receivers = await listWebhooks(database.read)\n  const chains = await loadChains(',
      },
    ],
  },
  {
    name: 'refusals-taken',
    takesAway: 'a delivery has come only when its receiver says so',
    edits: [
      {
        file: 'src/modules/webhooks/webhooks.record.service.ts',
        find: "if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299) {",
        replace: "if (outcome.kind === 'answered') {",
      },
    ],
  },
  {
    name: 'waits-forgotten',
    takesAway: 'a refused event waits longer each time',
    edits: [
      {
        file: 'src/modules/webhooks/webhooks.record.service.ts',
        find: 'const dueAt = addMs(now, jittered(waitSeconds * 1_000, jitter))',
        replace: 'const dueAt = addMs(now, jittered(waitSeconds, jitter))',
      },
    ],
  },
  // Removal.
  {
    name: 'holds-passed-over',
    takesAway: 'nothing on which there is a hold is removed',
    edits: [
      {
        file: 'src/modules/retention/retention.due.service.ts',
        find: 'if (hashes.has(sha256Hex(objectReference)) ||',
        replace: "if (hashes.has(sha256Hex('') + objectReference) ||",
      },
    ],
  },
  {
    name: 'a-day-early',
    takesAway: 'nothing is removed before its day',
    edits: [
      {
        file: 'src/modules/retention/retention.due.service.ts',
        find: 'return addMs(now, -days * dayMs)',
        replace: 'return addMs(now, -(days - 1) * dayMs)',
      },
    ],
  },
  {
    name: 'held-once-held-for-good',
    takesAway: 'what was held is looked at again once a hold was released',
    edits: [
      {
        file: 'src/modules/retention/retention.remover.service.ts',
        find: 'if (progress.number !== number || progress.releasedHolds !== releasedHolds) {\n',
        replace: 'if (progress.number !== number) {\n',
      },
    ],
  },
  {
    name: 'at-work-passed-over',
    takesAway: 'what was at work is looked at again',
    edits: [
      {
        file: 'src/modules/retention/retention.remover.service.ts',
        find: 'for (const id of [...atWork, ...again]) if (!isFull()) waiting.add(id)\n',
        replace: '\n',
      },
    ],
  },
  {
    name: 'unsent-events-removed',
    takesAway: 'events stay until everybody has had them',
    edits: [
      {
        file: 'src/modules/erasures/erasures.parts.store.ts',
        find: "  if (part !== 'events') return",
        replace: '  if (ids.length > 0) return',
      },
    ],
  },
  {
    name: 'removal-not-noted',
    takesAway: 'a removal is in the ledger before it counts as finished',
    edits: [
      {
        file: 'src/modules/erasures/erasures.finisher.service.ts',
        find: '          await noteOnce(id)\n',
        replace: '          void noteOnce(id).catch(() => {})\n',
      },
    ],
  },
  {
    name: 'named-objects-removed',
    takesAway: 'an object stays while a row names it',
    edits: [
      {
        file: 'src/modules/erasures/erasures.finisher.service.ts',
        find: '(hashes: readonly string[]) => namedHashes(database.read, hashes)\n',
        replace: 'async () => new Set<string>(void namedHashes)\n',
      },
    ],
  },
  {
    name: 'removal-not-awaited',
    takesAway: 'what is stored again while another process removes it is there afterwards',
    edits: [
      {
        file: 'src/objects/removal.ts',
        find: "if (outcome === 'new') return outcome\n",
        replace: 'if (beganAtMs >= 0) return outcome\n',
      },
    ],
  },
  {
    name: 'removal-not-synced',
    takesAway: 'a removed object stays removed after a power cut',
    edits: [
      {
        file: 'src/objects/directory.ts',
        find: 'await syncEntry(this.#files, folder).catch(ignoreMissing)\n',
        replace: '\n',
      },
    ],
  },
  {
    name: 'keys-swept-early',
    takesAway: 'a repeated key gets the first answer for a week',
    edits: [
      {
        file: 'src/http/idempotency.ts',
        find: 'forgetKeysBefore(tx, addMs(at, -limits.idempotencyMs))',
        replace: 'forgetKeysBefore(tx, addMs(at, -limits.idempotencyMs / 2))',
      },
    ],
  },
]
