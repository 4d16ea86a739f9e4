/**
 * The program that the kernel runs at each system call of a confined process (seccomp(2), in the classic BPF of linux/filter.h).
 * It lists denied calls, because a runtime needs too many others, and different ones in each version, to list the allowed ones.
 * Numbers are those of asm/unistd.h.
 */
interface Machine {
  /** linux/audit.h. */
  audit: number
  seccomp: number
  clone: number
  /** Calls that open files, and the index of their flags among the arguments. */
  opens: readonly (readonly [call: number, flags: number])[]
  /** Calls reported as unknown, so that the C library uses the older call, whose arguments can be checked. */
  unknown: readonly number[]
  denied: readonly number[]
}

const machines: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: {
    audit: 0xc000_003e,
    seccomp: 317,
    clone: 56,
    opens: [
      [2, 1],
      [257, 2],
    ],
    unknown: [435, 437],
    denied: [
      ...[41, 42, 43, 49, 50, 288], // socket, connect, accept, bind, listen, accept4
      ...[57, 58, 59, 322], // fork, vfork, execve, execveat
      ...[101, 310, 311, 62, 434, 438], // ptrace, process_vm_readv, process_vm_writev, kill, pidfd_open, pidfd_getfd
      ...[76, 85, 82, 264, 316], // truncate, creat, rename, renameat, renameat2
      ...[83, 258, 84, 87, 263], // mkdir, mkdirat, rmdir, unlink, unlinkat
      ...[86, 265, 88, 266, 133, 259], // link, linkat, symlink, symlinkat, mknod, mknodat
      ...[90, 91, 268, 452, 92, 93, 94, 260], // chmod, fchmod, fchmodat, fchmodat2, chown, fchown, lchown, fchownat
      ...[165, 166, 155, 161, 272, 308], // mount, umount2, pivot_root, chroot, unshare, setns
      ...[321, 323, 298, 425, 250, 248, 249], // bpf, userfaultfd, perf_event_open, io_uring_setup, keyctl, add_key, request_key
    ],
  },
  arm64: {
    audit: 0xc000_00b7,
    seccomp: 277,
    clone: 220,
    opens: [[56, 2]],
    unknown: [435, 437],
    denied: [
      ...[198, 203, 202, 200, 201, 242], // socket, connect, accept, bind, listen, accept4
      ...[221, 281], // execve, execveat
      ...[117, 270, 271, 129, 434, 438], // ptrace, process_vm_readv, process_vm_writev, kill, pidfd_open, pidfd_getfd
      ...[45, 38, 276, 34, 35], // truncate, renameat, renameat2, mkdirat, unlinkat
      ...[37, 36, 33], // linkat, symlinkat, mknodat
      ...[52, 53, 452, 54, 55], // fchmod, fchmodat, fchmodat2, fchownat, fchown
      ...[40, 39, 41, 51, 97, 268], // mount, umount2, pivot_root, chroot, unshare, setns
      ...[280, 282, 241, 425, 219, 217, 218], // bpf, userfaultfd, perf_event_open, io_uring_setup, keyctl, add_key, request_key
    ],
  },
}

/** Fixed by linux/sched.h, and by fcntl.h: O_WRONLY, O_RDWR, O_CREAT and O_TRUNC. */
const flags = { thread: 0x1_0000, openToWrite: 0x1 | 0x2 | 0x40 | 0x200 } as const
/** Fixed by Linux: from this number on follow the calls of the other set that an x64 kernel may have (x32). */
const otherCalls = 0x4000_0000
/** Fixed by linux/bpf_common.h: the instructions used here. */
const does = { loadWord: 0x20, jumpIfEqual: 0x15, jumpIfAtLeast: 0x35, jumpIfAnyBit: 0x45, answer: 0x06 } as const
/** Fixed by linux/seccomp.h; with the errors EPERM and ENOSYS in the lower half. */
const answers = { allow: 0x7fff_0000, end: 0x8000_0000, denied: 0x0005_0001, unknown: 0x0005_0026 } as const
/** Fixed by struct seccomp_data: the call's number, the machine, the instruction, then six arguments of eight bytes. */
const at = { call: 0, machine: 4 } as const
const atArgument = (index: number) => 16 + 8 * index

/**
 * The filter for a machine, and the number of the call that installs it.
 * @throws Error for a machine whose calls aren't known here
 */
export function denials(arch: NodeJS.Architecture): { systemCall: number; program: Uint8Array } {
  const machine = machines[arch]
  if (machine === undefined) throw new Error(`the calls of ${arch} are not known`)
  const { audit, clone, opens, unknown, denied } = machine
  const steps: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [does.loadWord, 0, 0, at.machine],
    [does.jumpIfEqual, 1, 0, audit],
    [does.answer, 0, 0, answers.end],
    [does.loadWord, 0, 0, at.call],
    [does.jumpIfAtLeast, 0, 1, otherCalls],
    [does.answer, 0, 0, answers.denied],
  ]
  for (const call of unknown) steps.push([does.jumpIfEqual, 0, 1, call], [does.answer, 0, 0, answers.unknown])
  for (const call of denied) steps.push([does.jumpIfEqual, 0, 1, call], [does.answer, 0, 0, answers.denied])
  for (const [call, argument] of opens) {
    steps.push(
      [does.jumpIfEqual, 0, 4, call],
      [does.loadWord, 0, 0, atArgument(argument)],
      [does.jumpIfAnyBit, 0, 1, flags.openToWrite],
      [does.answer, 0, 0, answers.denied],
      [does.answer, 0, 0, answers.allow],
    )
  }
  steps.push(
    [does.jumpIfEqual, 0, 3, clone],
    [does.loadWord, 0, 0, atArgument(0)],
    [does.jumpIfAnyBit, 1, 0, flags.thread],
    [does.answer, 0, 0, answers.denied],
    [does.answer, 0, 0, answers.allow],
  )
  const program = new DataView(new ArrayBuffer(steps.length * 8))
  for (const [index, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    program.setUint16(index * 8, code, true)
    program.setUint8(index * 8 + 2, ifTrue)
    program.setUint8(index * 8 + 3, ifFalse)
    program.setUint32(index * 8 + 4, value, true)
  }
  return { systemCall: machine.seccomp, program: new Uint8Array(program.buffer) }
}
