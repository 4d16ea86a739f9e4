/**
 * Deliberately broken builds: each edit takes one protection away, and the fault test named beside it must fail then. A test
 * that passes with its protection gone proves nothing. show-breaks.ts makes and runs them; breaks.test.ts keeps the texts true.
 */
export interface Break {
  name: string
  /** What no longer holds. */
  takesAway: string
  edits: readonly { file: string; find: string; replace: string }[]
  /** A file of this folder, and a part of one of its tests' names. */
  test: string
  only?: string
  /** Shown by the full counts only. */
  isFull?: boolean
}

const toldBeforeCommit = {
  file: 'src/db/embedded.ts',
  find: 'const value = await job.work(tx)\n',
  replace: 'const value = await job.work(tx)\n      job.resolve(value)\n',
}
const noIdempotency = {
  file: 'src/http/idempotency.ts',
  find: 'const record = await findRecord(tx, request)\n',
  replace: 'const record = (await findRecord(tx, request)) && undefined\n',
}

export const breaks: readonly Break[] = [
  {
    name: 'told-before-commit',
    takesAway: 'an answer only after its commit is durable',
    edits: [toldBeforeCommit],
    test: 'write-points',
  },
  {
    name: 'row-before-bytes',
    takesAway: 'the object stored before the row that names it',
    edits: [
      {
        file: 'src/objects/directory.ts',
        find: '        await this.#files.rename(unfinished, file)\n',
        replace: '        setTimeout(() => void this.#files.rename(unfinished, file), 20)\n',
      },
    ],
    test: 'write-points',
  },
  {
    name: 'lag-untold',
    takesAway: 'what the service tells to be in its replica is there',
    edits: [
      {
        file: 'src/replica/replicator.ts',
        find: 'return (performance.now() - this.#upToDateMs) / 1_000',
        replace: 'return 0',
      },
    ],
    test: 'replica',
  },
  {
    name: 'older-refused',
    takesAway: 'a version starts beside a newer one that has only expanded the schema',
    edits: [
      {
        file: 'src/db/migrate.ts',
        find: 'if (kind !== EXPANDS && !known.some(',
        replace: 'if (!known.some(',
      },
    ],
    test: 'upgrade',
  },
  {
    name: 'no-takeover',
    takesAway: 'a lease that ran out is claimed again',
    edits: [
      {
        file: 'src/runner/runner.ts',
        find: 'const expired = mayTakeOver && (await hasExpiredStep(database.read))',
        replace: 'const expired = mayTakeOver && (await hasExpiredStep(database.read)) && false',
      },
    ],
    test: 'kill',
  },
  {
    name: 'all-in-hand-counted',
    takesAway: 'after a kill only the steps count that were at work',
    edits: [
      {
        file: 'src/runner/runner.ts',
        find: 'expireLeases(tx, atWork?.left)',
        replace: 'expireLeases(tx)',
      },
    ],
    test: 'kill',
    only: 'only waited',
  },
  {
    name: 'key-forgotten',
    takesAway: 'a repeated key is answered with the first answer',
    edits: [noIdempotency],
    test: 'kill',
  },
  {
    name: 'no-fence',
    takesAway:
      'only the owner of the newest claim records (and the heartbeat that tells an owner early that it is none)',
    edits: [
      {
        file: 'src/runner/steps.store.ts',
        find: `    eq(steps.id, claim.stepId),
    eq(steps.leaseOwner, claim.owner),
    eq(steps.stateVersion, claim.fence),
    eq(steps.status, claim.status ?? 'running'),
`,
        replace: '    eq(steps.id, claim.stepId),\n',
      },
      {
        file: 'src/runner/runner.ts',
        find: 'if (!kept.has(claim.stepId) && held.claim === claim && !held.isRecording) held.isLost = true',
        replace: 'if (!kept.has(claim.stepId) && held.claim === claim && !held.isRecording) continue',
      },
    ],
    test: 'instances',
    only: 'three instances',
  },
  {
    name: 'key-forgotten-over-instances',
    takesAway: 'a repeated key is answered with the first answer, by whichever instance',
    edits: [noIdempotency],
    test: 'instances',
    only: 'each idempotency key',
  },
  {
    name: 'put-not-checked',
    takesAway: 'a step counts as made only when its file is stored',
    edits: [
      {
        file: 'src/runner/work.ts',
        find: 'await objects.put(hash, bytes)',
        replace: 'await objects.put(hash, bytes).catch(() => {})',
      },
    ],
    test: 'object-store',
  },
  {
    name: 'outage-counted',
    takesAway: 'an absent dependency uses up no attempt',
    edits: [
      {
        file: 'src/runner/faults.ts',
        find: 'if (behind !== undefined) return',
        replace: 'if (behind !== undefined && behind.message === "") return',
      },
    ],
    test: 'paused',
    only: 'disk',
  },
  {
    name: 'sdk-retries',
    takesAway: 'retries that go on however long a store has been failing',
    edits: [
      { file: 'src/objects/s3.ts', find: '    maxAttempts: 1,\n', replace: '    maxAttempts: 3,\n' },
      { file: 'src/objects/s3.ts', find: 'tries >= limits.objectRequestTries', replace: 'tries >= 1' },
    ],
    test: 'object-store',
    isFull: true,
  },
  {
    name: 'marked-before-puback',
    takesAway: 'an event counts as published only after the broker acknowledged it',
    edits: [
      {
        file: 'src/bus/relay.ts',
        find: '        await this.#bus.publish(eventTopic(event)',
        replace: '        acknowledged.push(event.id)\n        await this.#bus.publish(eventTopic(event)',
      },
    ],
    test: 'broker',
    only: 'gathered',
  },
  {
    name: 'backwards',
    takesAway: 'the events of an aggregate go in their order',
    edits: [
      {
        file: 'src/bus/relay.ts',
        find: 'for (const event of chain) {',
        replace: 'for (const event of chain.toReversed()) {',
      },
    ],
    test: 'broker',
    only: 'gathered',
  },
  {
    name: 'all-at-once',
    takesAway: 'one event of an aggregate at a time',
    edits: [
      {
        file: 'src/bus/relay.ts',
        find: 'const waiting = chains.values()',
        replace: 'const waiting = chains.flatMap((chain) => chain.map((event) => [event])).values()',
      },
    ],
    test: 'broker',
    only: 'keeps being killed',
  },
  {
    name: 'new-id-each-time',
    takesAway: 'every delivery of an event has its id',
    edits: [
      {
        file: 'src/bus/relay.ts',
        find: 'cloudEvent(event), {',
        replace: 'cloudEvent({ ...event, id: crypto.randomUUID() }), {',
      },
    ],
    test: 'broker',
    only: 'keeps being killed',
  },
  {
    name: 'told-on-a-full-disk',
    takesAway: 'an answer only after its commit is durable',
    edits: [toldBeforeCommit],
    test: 'disk-full',
  },
  {
    name: 'no-snapshot',
    takesAway: 'a backup is one state of the database',
    edits: [
      {
        file: 'src/commands/backup.ts',
        find: 'database.snapshot((connection) => writeTables(connection, hashes, from))',
        replace: 'writeTables(database.read, hashes, from)',
      },
      {
        file: 'src/commands/backup.ts',
        find: '    await writer.begin(tableFile(table.name), ',
        replace: '    await Bun.sleep(100)\n    await writer.begin(tableFile(table.name), ',
      },
    ],
    test: 'backup',
  },
  {
    name: 'read-errors-dropped',
    takesAway: 'a page that could not be read is an error',
    edits: [
      {
        file: 'src/db/libsql-connection.ts',
        find: '?vfs=',
        replace: '?unused=',
      },
    ],
    test: 'read-errors',
  },
  {
    name: 'files-not-compared',
    takesAway: 'a commit counts only while the files are at their path',
    edits: [
      {
        file: 'src/db/embedded.ts',
        find: 'if (problem !== undefined) throw new DatabaseGone(problem)\n',
        replace: '\n',
      },
    ],
    test: 'vanished-store',
    only: 'no submission is acknowledged',
  },
  {
    name: 'empty-store-made',
    takesAway: 'an empty database becomes a new store only where none was before',
    edits: [
      {
        file: 'src/migrated-database.ts',
        find: '  if (mark === undefined) return\n',
        replace: '  if (mark !== "") return\n',
      },
    ],
    test: 'known-store',
    only: 'a start makes no new store',
  },
  {
    name: 'moved-and-serving',
    takesAway: 'the source of a move no longer serves',
    edits: [{ file: 'src/commands/move.ts', find: '    await markMoved(source, destination)\n', replace: '' }],
    test: 'move-kills',
    only: 'after quire move --undo',
  },
]
