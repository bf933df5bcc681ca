/** System calls that nothing in the wall may make, by number on x64 and arm64. */
const forbidden: Record<string, readonly [x64: number, arm64: number]> = {
  // Keys of the service's own session, which no namespace hides.
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  // The kernel's log.
  syslog: [103, 116],
  // Kernel code with frequent vulnerabilities that no coding agent needs.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  // Watching and flushing whole file systems.
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
};
/** Calls reported as not existing, so that programs use the older call, whose arguments the filter can check. */
const absent: Record<string, readonly [x64: number, arm64: number]> = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};
/**
 * Calls whose first argument may request a user namespace, in which a process has all privileges and can attack most of the
 * kernel.
 */
const cloneCalls = [
  [56, 220],
  [272, 97],
] as const;
const newUserNamespace = 0x10000000;
/**
 * Commands, the second argument of a call, that reach a file through a read-only mount too. The kernel reads 32 bits of it, as the
 * filter does.
 */
const fcntlCall = [72, 25] as const;
/** F_SETLEASE: whoever owns a file can hold up everybody who opens it. F_NOTIFY: signals about changes in a folder. */
const fcntlCommands = [1024, 1026];
/** F_GETDELEG, F_SETDELEG (leases of folders, Linux 6.19) and what comes after them. */
const firstUnknownFcntl = 1039;
const ioctlCall = [16, 29] as const;
/** FS_IOC_{ADD_ENCRYPTION_KEY,REMOVE_ENCRYPTION_KEY,REMOVE_ENCRYPTION_KEY_ALL_USERS}: unlock and lock encrypted folders of the user. */
const ioctlCommands = [0xc0506617, 0xc0406618, 0xc0406619];
const socketCall = [41, 198] as const;
/** Unix, IPv4, IPv6, netlink. Others, such as vsock, reach past a network namespace. */
const families = [1, 2, 10, 16];
const [EPERM, EINVAL, ENOSYS, EAFNOSUPPORT] = [1, 22, 38, 97];

// linux/filter.h and linux/seccomp.h: load a word of the call, compare, return.
const [load, jumpEqual, jumpFrom, jumpBits, give] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [callNumber, callArch, firstArgument, secondArgument] = [0, 4, 16, 24];
const allow = 0x7fff0000;
const fail = (errno: number) => 0x00050000 | errno;
type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];
type Test = [code: number, value: number];

/**
 * The seccomp filter of the wall as bubblewrap reads it (`--seccomp`): it stops what namespaces and file permissions do not. null
 * for an unsupported processor.
 */
export function wallFilter(arch: string = process.arch): Buffer | null {
  if (arch !== "x64" && arch !== "arm64") return null;
  const at = arch === "x64" ? 0 : 1;
  const program: Instruction[] = [
    [load, 0, 0, callArch],
    // Another calling convention has other numbers: all its calls are refused.
    [jumpEqual, 1, 0, arch === "x64" ? 0xc000003e : 0xc00000b7],
    [give, 0, 0, fail(ENOSYS)],
    [load, 0, 0, callNumber],
    ...(arch === "x64"
      ? ([
          [jumpFrom, 0, 1, 0x40000000],
          [give, 0, 0, fail(ENOSYS)],
        ] as Instruction[])
      : []),
  ];
  for (const numbers of Object.values(forbidden)) program.push(...refuse(numbers[at], EPERM));
  for (const numbers of Object.values(absent)) program.push(...refuse(numbers[at], ENOSYS));
  const equal = (value: number): Test => [jumpEqual, value];
  const fcntlTests: Test[] = [...fcntlCommands.map(equal), [jumpFrom, firstUnknownFcntl]];
  program.push(...refuseCommands(fcntlCall[at], fcntlTests, EINVAL));
  program.push(...refuseCommands(ioctlCall[at], ioctlCommands.map(equal), EPERM));
  for (const numbers of cloneCalls) {
    program.push(
      [jumpEqual, 0, 4, numbers[at]],
      [load, 0, 0, firstArgument],
      [jumpBits, 0, 1, newUserNamespace],
      [give, 0, 0, fail(EPERM)],
      [give, 0, 0, allow],
    );
  }
  program.push(
    [jumpEqual, 0, families.length + 2, socketCall[at]],
    [load, 0, 0, firstArgument],
    ...families.map((family, index): Instruction => [jumpEqual, families.length - index, 0, family]),
    [give, 0, 0, fail(EAFNOSUPPORT)],
    [give, 0, 0, allow],
  );
  return assemble(program);
}

function refuse(number: number, errno: number): Instruction[] {
  return [
    [jumpEqual, 0, 1, number],
    [give, 0, 0, fail(errno)],
  ];
}

/** Refuses a call whose second argument passes one of the tests. */
function refuseCommands(number: number, tests: Test[], errno: number): Instruction[] {
  return [
    [jumpEqual, 0, tests.length + 3, number],
    [load, 0, 0, secondArgument],
    ...tests.map(([code, value], index): Instruction => [code, tests.length - index, 0, value]),
    [give, 0, 0, allow],
    [give, 0, 0, fail(errno)],
  ];
}

/** struct sock_filter, one after the other, in the byte order of both processors. */
function assemble(program: Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
