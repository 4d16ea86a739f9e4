import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { denials } from './system-calls.ts'

/** Rights that a process could not drop, each with its reason; empty on Linux with glibc or musl, on x64 and arm64. */
export type Unconfined = string[]

export interface Confinement {
  /** How much more memory it may reserve from now on, in bytes. */
  memoryBytes: number
  /** By how much to raise its nice value. */
  niceBy: number
}

/** Fixed by linux/resource.h, linux/prctl.h and linux/seccomp.h. */
const linux = {
  NICEST: 19,
  RLIMIT_FSIZE: 1,
  RLIMIT_CORE: 4,
  RLIMIT_AS: 9,
  PR_SET_PDEATHSIG: 1,
  PR_SET_NO_NEW_PRIVS: 38,
  SIGKILL: 9,
  SECCOMP_SET_MODE_FILTER: 1,
  SECCOMP_FILTER_FLAG_TSYNC: 1,
} as const

/**
 * Drops for good what a process that works on foreign content doesn't need: more memory than it is given, writing files, starting
 * programs, the network, access to other processes, core dumps, new privileges. It keeps the pipe to its parent, threads, and
 * reading files, and ends when its parent does. Call it when everything is loaded.
 *
 * Only Linux supports all of this without privileges. Elsewhere only the process's priority is lowered.
 */
export function confine({ memoryBytes, niceBy }: Confinement): Unconfined {
  const missing: Unconfined = []
  const attempt = (what: string, act: () => void) => {
    try {
      act()
    } catch (error) {
      missing.push(`${what}: ${error instanceof Error ? error.message : error}`)
    }
  }
  attempt('priority', () => setPriority(Math.min(linux.NICEST, getPriority() + niceBy)))
  if (process.platform !== 'linux') return [...missing, `limits and system calls: ${process.platform} has none of them`]
  attempt('limits and system calls', () => {
    const system = openSystem()
    attempt('end with the parent', () => system.prctl(linux.PR_SET_PDEATHSIG, linux.SIGKILL))
    attempt('core dumps', () => system.setLimit(linux.RLIMIT_CORE, 0))
    attempt('files', () => system.setLimit(linux.RLIMIT_FSIZE, 0))
    attempt('memory', () => system.setLimit(linux.RLIMIT_AS, reservedBytes() + memoryBytes))
    attempt('privileges', () => system.prctl(linux.PR_SET_NO_NEW_PRIVS, 1))
    attempt('system calls', () => system.filter(denials(process.arch)))
  })
  return missing
}

function openSystem() {
  const { i32, ptr: pointer, u64 } = FFIType
  const { symbols } = openLibrary({
    setrlimit: { args: [i32, pointer], returns: i32 },
    prctl: { args: [i32, u64, u64, u64, u64], returns: i32 },
    syscall: { args: [u64, u64, u64, pointer], returns: i32 },
  })
  const succeed = (outcome: number) => {
    if (outcome !== 0) throw new Error('the system refused it')
  }
  return {
    setLimit(resource: number, value: number): void {
      const limit = new BigUint64Array([BigInt(value), BigInt(value)])
      succeed(symbols.setrlimit(resource, ptr(limit)))
    },
    prctl: (option: number, value: number) => succeed(symbols.prctl(option, value, 0, 0, 0)),
    filter({ systemCall, program }: ReturnType<typeof denials>): void {
      // struct sock_fprog: the number of instructions, padding, and their address.
      const header = new BigUint64Array([BigInt(program.byteLength / 8), BigInt(ptr(program))])
      succeed(symbols.syscall(systemCall, linux.SECCOMP_SET_MODE_FILTER, linux.SECCOMP_FILTER_FLAG_TSYNC, ptr(header)))
    },
  }
}

function openLibrary<const Names extends Parameters<typeof dlopen>[1]>(symbols: Names) {
  // glibc's name, then musl's for this architecture.
  const names = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
  for (const name of names) {
    try {
      return dlopen(name, symbols)
    } catch {
      // Try the next name.
    }
  }
  throw new Error('there is no C library')
}

/** All reserved memory, used or not: the runtime reserves gigabytes for its heaps in advance. */
function reservedBytes(): number {
  const [, kilobytes] = /^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error('/proc says nothing of it')
  return Number(kilobytes) * 1024
}
