import { closeSync, fsyncSync, openSync, type Stats, statfsSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { detailOf, wordsOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { advice, bytesInWords, type Finding, fine, unchecked, wrong } from './finding.ts'

type Places = Pick<Config, 'dataFolder' | 'databaseUrl' | 'objectsUrl' | 'auditHeads'>

/** Whether the data directory can be written, and by nobody else. */
export function checkDataFolder(config: Places): Finding[] {
  const check = 'data'
  const { dataFolder } = config
  const folder = statOf(dataFolder)
  if (folder === undefined) {
    const above = existingAbove(dataFolder)
    const problem = probeFile(above)
    if (problem === undefined) return [fine(check, `${dataFolder} is made by the first start`)]
    return [
      wrong(
        check,
        `${dataFolder} is not there and can't be made (${problem})`,
        `make it, and give it to the user that runs Quire, or name another directory in QUIRE_DATA`,
      ),
    ]
  }
  if (!folder.isDirectory()) {
    return [wrong(check, `${dataFolder} is no directory`, 'name a directory in QUIRE_DATA, or move that file away')]
  }
  const problem = probeFile(dataFolder)
  const found =
    problem === undefined
      ? []
      : [wrong(check, `${dataFolder} can't be written (${problem})`, remedyOf(problem, dataFolder))]
  found.push(...looseModes(config), ...othersFiles(dataFolder, folder.uid))
  return found.length > 0 ? found : [fine(check, `${dataFolder} can be written, and by nobody else`)]
}

/** Undefined if there is nothing, also because a part of the path is a file: Bun throws then. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (detailOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function existingAbove(path: string): string {
  let above = dirname(path)
  while (statOf(above) === undefined && above !== dirname(above)) above = dirname(above)
  return above
}

/** Writes a file as durably as a store does, and removes it. @returns why that failed */
function probeFile(folder: string): string | undefined {
  const path = join(folder, `.doctor-${process.pid}`)
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, 'probe')
      fsyncSync(file)
    } finally {
      closeSync(file)
      unlinkSync(path)
    }
    return undefined
  } catch (error) {
    return detailOf(error) ?? wordsOf(error)
  }
}

function remedyOf(code: string, folder: string): string {
  if (code === 'EROFS') return 'mount its file system for writing'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'make room on its disk'
  return `give it to the user that runs Quire: chown -R quire ${folder}`
}

/** Only the user that runs Quire may read its data; a directory that all share is not one to keep data in. */
function looseModes({ dataFolder, databaseUrl }: Places): Finding[] {
  const database = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  const files = ['secret', 'signing-key'].map((name) => join(dataFolder, name))
  if (database !== undefined) files.push(database, `${database}-wal`, `${database}-shm`)
  const loose = [{ path: dataFolder, bits: 0o022 }, ...files.map((path) => ({ path, bits: 0o077 }))].flatMap(
    ({ path, bits }) => {
      const mode = statOf(path)?.mode ?? 0
      return (mode & bits) === 0 ? [] : [{ path, mode: mode & 0o7777, wanted: mode & 0o7777 & ~bits }]
    },
  )
  const octal = (mode: number) => mode.toString(8).padStart(4, '0')
  return loose.map(({ path, mode, wanted }) =>
    (mode & 0o1000) !== 0 && path === dataFolder
      ? wrong('data', `${path} is shared by all users of this machine`, "name a directory of Quire's own in QUIRE_DATA")
      : wrong('data', `${path} has mode ${octal(mode)}, open to other users`, `chmod ${octal(wanted)} ${path}`),
  )
}

/** A probe by root can't show what the serving user may do. */
function othersFiles(folder: string, owner: number): Finding[] {
  const self = process.getuid?.()
  if (self === undefined || self === owner || self !== 0) return []
  return [
    advice(
      'data',
      `${folder} belongs to user ${owner}, and this is root, who may do everything`,
      `ask as that user: sudo -u '#${owner}' quire doctor`,
    ),
  ]
}

/** File systems in memory or on a network, on which data isn't safe, by Linux's magic numbers. */
const fileSystems: Readonly<Record<number, 'memory' | 'network'>> = {
  16914836: 'memory', // tmpfs, 0x01021994
  26985: 'network', // nfs, 0x6969
  4283649346: 'network', // cifs, 0xff534d42
  4266872130: 'network', // smb2, 0xfe534d42
}

/** Room on the disks, beyond what stays free so that what happens can still be recorded. */
export function checkDisks(config: Places): Finding[] {
  const local = (url: string) => (url.startsWith('file:') ? [dirname(`${url.slice('file:'.length)}/.`)] : [])
  const database = local(config.databaseUrl).map((path) => dirname(path))
  const heads = config.auditHeads === undefined ? [] : [dirname(config.auditHeads)]
  const places = [config.dataFolder, ...database, ...local(config.objectsUrl), ...heads]
  const byDisk = new Map<number, string>()
  for (const path of places) {
    const there = statOf(path) === undefined ? existingAbove(path) : path
    const { dev } = statSync(there)
    if (!byDisk.has(dev)) byDisk.set(dev, there)
  }
  return [...byDisk.values()].map(diskAt)
}

function diskAt(path: string): Finding {
  const check = 'disk'
  const { bavail, blocks, bsize, files, ffree, type } = statfsSync(path)
  const [free, size] = [bavail * bsize, blocks * bsize]
  const room = `${bytesInWords(free)} free of ${bytesInWords(size)} at ${path}`
  const reserve = bytesInWords(limits.objectReserveBytes)
  if (free < limits.objectReserveBytes) {
    return wrong(
      check,
      `${room}, less than the ${reserve} that stay free`,
      'make room: no document is stored until then',
    )
  }
  if (files > 0 && ffree < limits.doctorFreeFiles) {
    return wrong(
      check,
      `room for ${ffree} more files at ${path}`,
      'remove small files, or take a file system with more',
    )
  }
  const kind = fileSystems[type]
  if (kind === 'memory') {
    return advice(check, `${path} is in memory, and gone with this machine's next start`, 'name a disk in QUIRE_DATA')
  }
  if (kind === 'network') {
    return advice(
      check,
      `${path} is on a network, whose locks and syncs an embedded database can't rely on`,
      'take a local disk, or PostgreSQL and S3',
    )
  }
  if (free < limits.doctorFreeBytes) return advice(check, room, 'make room before it is full')
  return fine(check, room)
}

/**
 * How long the disk takes to promise that a commit outlives a power cut. A disk that says so at once doesn't write: its
 * promises are worth nothing.
 */
export function checkSync({ dataFolder }: Places): Finding[] {
  const check = 'sync'
  const folder = statOf(dataFolder) === undefined ? existingAbove(dataFolder) : dataFolder
  let took: number[]
  try {
    took = measureSyncs(folder)
  } catch (error) {
    return [unchecked(check, `nothing can be written to ${folder} (${detailOf(error) ?? wordsOf(error)})`)]
  }
  return [findingOfSyncs(took)]
}

/** @param took microseconds of each sync */
export function findingOfSyncs(took: readonly number[]): Finding {
  const check = 'sync'
  const medianUs = took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0
  const said = `a commit waits ${durationOf(medianUs)} for the disk (median of ${took.length})`
  if (medianUs < limits.doctorSyncQuickUs) {
    return advice(
      check,
      `${said}: no disk is so quick, so commits are lost when the power fails`,
      'find what ignores fsync: a disk in memory, libeatmydata, a virtual disk with cache=unsafe',
    )
  }
  if (medianUs > limits.doctorSyncSlowUs) {
    return advice(check, `${said}, so few fit into a second`, 'take a quicker disk, or PostgreSQL on one')
  }
  return fine(check, said)
}

function measureSyncs(folder: string): number[] {
  const path = join(folder, `.doctor-sync-${process.pid}`)
  const page = new Uint8Array(4_096).fill(0x71)
  const file = openSync(path, 'wx', 0o600)
  try {
    const took: number[] = []
    const until = performance.now() + limits.doctorSyncMs
    while (took.length < limits.doctorSyncs && (took.length < 3 || performance.now() < until)) {
      writeSync(file, page)
      const before = performance.now()
      fsyncSync(file)
      took.push((performance.now() - before) * 1_000)
    }
    return took
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}

function durationOf(microseconds: number): string {
  if (microseconds < 1_000) return `${Math.max(1, Math.round(microseconds))} µs`
  return `${(microseconds / 1_000).toFixed(microseconds < 10_000 ? 1 : 0)} ms`
}
