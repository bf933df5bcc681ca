/** Numbers of system calls on this processor. */
export const calls =
  process.arch === "arm64"
    ? {
        ...{ add_key: 217, keyctl: 219, bpf: 280, perf_event_open: 241, userfaultfd: 282 },
        ...{ fcntl: 25, ioctl: 29, fanotify_init: 262, quotactl: 60 },
      }
    : {
        ...{ add_key: 248, keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323 },
        ...{ fcntl: 72, ioctl: 16, fanotify_init: 300, quotactl: 179 },
      };
const [ioUringSetup, quotactlFd] = [425, 443];
/** Commands of fcntl and ioctl that the filter refuses. */
export const commands = { setLease: 1024, notify: 1026, setDelegation: 1040, removeEncryptionKey: 0xc0406618 };
const above32Bits = 2 ** 40;
const openFolder = "use Fcntl; sysopen(my $folder, '/usr', O_RDONLY) or exit 1";

/**
 * Ways out of the wall, by their targets: shell code that succeeds only if it reaches its target. Variables say where the test
 * put the targets.
 */
export const probes: Record<string, string> = {
  // What can be read.
  "the home of the service's user": 'cat "$BASE/home/notes"',
  "an ssh key": 'cat "$BASE/home/.ssh/id_ed25519"',
  "the store": 'cat "$BASE/data/errand.db"',
  "the key of the seal": 'cat "$BASE/data/secret.key"',
  "another run's checkout": 'cat "$BASE/data/checkouts/2/file"',
  "another run's home": 'cat "$BASE/data/homes/2/session"',
  "what setups made for other runs": 'cat "$BASE"/data/prepared/1/*/layers/0/kept',
  "a mirror": 'ls "$BASE/data/mirrors/1.git"',
  "a data folder within a folder of tools": 'cat "$BASE/tools/data/secret"',
  "the home of root": "ls /root",
  "passwords of the machine": "cat /etc/shadow",
  "private keys of the machine": "ls /etc/ssl/private",
  "users of the machine": "grep -q ^daemon: /etc/passwd",
  "data of services": "ls /var/lib",
  "the machine's /tmp": 'cat "$BASE/source/a.txt"',
  "the machine's /run": '[ -n "$(ls -A /run)" ]',
  "the machine's /dev/shm": 'cat "/dev/shm/$SHARED"',
  "the kernel's settings in /sys": "ls /sys/kernel",
  disks: "ls /dev/[svx]d* /dev/nvme* /dev/mem /dev/kmsg",
  "the service's environment": "grep -qz ^SERVICE_SECRET= /proc/*/environ",
  "a descriptor of the wall's own": "ls /proc/self/fd | grep -qxE '[4-9]|1[0-9]'",
  // What can be written.
  "writing to the system": "[ -w /usr ]",
  "writing to /etc": "echo >> /etc/passwd",
  "writing to the root folder": "mkdir /errand-probe",
  "writing to tools": "[ -w /opt ]",
  "writing to an agent's program": 'touch "$BASE/tools/errand-probe"',
  "a git hook": "echo > .git/hooks/pre-commit",
  "git's settings": "printf '[core]\\n\\tfsmonitor = ./evil\\n' >> .git/config",
  "objects of other runs":
    'object=$(find -L .git -type f -links +1 | head -n 1); chmod u+w "$object" && echo >> "$object"',
  "another .git in place": "mv .git .other && mv .other .git",
  "a setting of the kernel": ": >> /proc/sys/kernel/core_pattern",
  // Kernel interfaces.
  mounting: "mount -t tmpfs none /tmp",
  unmounting: "umount /workspace/.git/config",
  "a device": "mknod device b 254 0",
  "another root": "chroot / true",
  "the kernel's log": "dmesg",
  "a user namespace": "unshare -U true",
  "new privileges": "grep -q '^NoNewPrivs:.0' /proc/self/status",
  "a privilege": "grep -E '^Cap(Prm|Eff|Bnd|Amb):' /proc/self/status | grep -qv '0000000000000000$'",
  "a key of the service's session": perl(
    `my ($type, $name) = ("user", "errand-canary"); my $id = syscall(${calls.keyctl}, 10, -3, $type, $name, 0); exit 1 if $id < 0;
     my $text = " " x 64; exit(syscall(${calls.keyctl}, 11, $id, $text, 64) > 0 ? 0 : 1);`,
  ),
  "a new key": perl(
    `my ($type, $name) = ("user", "x"); exit(syscall(${calls.add_key}, $type, $name, $name, 1, -2) < 0)`,
  ),
  io_uring: perl(`my $p = "\\0" x 120; syscall(${ioUringSetup}, 4, $p) < 0 and $! != 22 and exit 1; exit 0`),
  bpf: perl(`my $p = "\\0" x 128; syscall(${calls.bpf}, 0, $p, 128) < 0 and $!{EPERM} and exit 1; exit 0`),
  // Files and folders of the machine, reached through read-only mounts.
  "holding up whoever opens a file of the machine": perl(
    `for (split /\\n/, qx(find -L "$ENV{BASE}/tools" .git/errand-shared -type f)) {
       open(my $file, "<", $_) or next;
       for my $kind (0, 1) {
         for my $more (0, ${above32Bits}) { exit 0 if syscall(${calls.fcntl}, fileno($file), ${commands.setLease} + $more, $kind) >= 0 }
       }
     }
     exit 1`,
  ),
  "holding up whoever changes a folder of the machine": perl(
    `my $read = "\\0" x 8; ${openFolder}; exit(syscall(${calls.fcntl}, fileno($folder), ${commands.setDelegation}, $read) < 0)`,
  ),
  "signals about a folder of the machine": perl(
    `$SIG{IO} = "IGNORE"; ${openFolder}; exit(syscall(${calls.fcntl}, fileno($folder), ${commands.notify}, 1) < 0)`,
  ),
  "watching a file system": perl(`syscall(${calls.fanotify_init}, 512, 0) < 0 and $!{EPERM} and exit 1; exit 0`),
  "flushing file systems": perl(`syscall(${calls.quotactl}, 0x80000100, 0, 0, 0) < 0 and $!{EPERM} and exit 1; exit 0`),
  "flushing a file system": perl(
    `${openFolder}; syscall(${quotactlFd}, fileno($folder), 0x80000100, 0, 0) < 0 and $!{EPERM} and exit 1; exit 0`,
  ),
  "locking encrypted folders of the service's user": perl(
    `${openFolder}; my $key = "\\0" x 64;
     syscall(${calls.ioctl}, fileno($folder), ${commands.removeEncryptionKey}, $key) < 0 and $!{EPERM} and exit 1; exit 0`,
  ),
  "user faults": perl(`exit(syscall(${calls.userfaultfd}, 1) < 0)`),
  "the machine's vsock": perl("socket(my $s, 40, 1, 0) or exit 1; exit 0"),
  "raw packets": perl("socket(my $s, 17, 3, 0) or exit 1; exit 0"),
  // Network and sockets.
  "a port of the machine": ': > "/dev/tcp/127.0.0.1/$PORT"',
  "an abstract socket": perl(connectTo('"\\0$ENV{ABSTRACT}"')),
  "a socket of the machine": perl(connectTo('"$ENV{BASE}/socket"')),
  "a network device": "grep -vE '^ *(lo:|Inter-|face)' /proc/net/dev | grep -q :",
  "shared memory of the machine": 'ipcs -m | grep -q "^0x.* $SEGMENT "',
  "the machine's name": '[ "$(uname -n)" = "$HOST" ]',
  // Processes.
  "a process of the machine": 'grep -qx service "/proc/$SERVICE/comm"',
  "ending a process of the machine": 'kill -CONT "$SERVICE" && grep -qx service "/proc/$SERVICE/comm"',
  "a session of the service": "awk '{ exit $6 != 0 }' /proc/self/stat",
  // Resources it can exhaust.
  "core files": '[ "$(ulimit -c)" != 0 ]',
  "files without end": '[ "$(ulimit -f)" = unlimited ]',
  "processes without end": '[ "$(ulimit -Hu)" = unlimited ] || [ "$(ulimit -Hu)" -gt 4096 ]',
  "open files without end": '[ "$(ulimit -Hn)" -gt 65536 ]',
  "the service's share of the processor": "awk -v own=$NICE '{ exit $19 > own }' /proc/self/stat",
  "the service's place when memory runs out": '[ "$(cat /proc/self/oom_score_adj)" -lt 500 ]',
  "a higher priority": '[ "$(nice -n -1 nice)" -lt "$(nice)" ]',
  "memory by /tmp": '[ "$(df --output=size -B1 /tmp | tail -n 1)" -gt 2147483648 ]',
  "memory by /dev/shm": '[ "$(df --output=size -B1 /dev/shm | tail -n 1)" -gt 1073741824 ]',
};

/** Work that must still be possible; each succeeds. */
export const works: Record<string, string> = {
  "writing to the checkout": "echo hello > file && rm file",
  "writing to its home": "echo hello > ~/file && [ $HOME = /home/agent ]",
  "writing to /tmp and /dev/shm": "echo > /tmp/file && echo > /dev/shm/file",
  "a commit":
    "echo hello > new && git add new && git commit -qm new && [ $(git rev-list --count HEAD) = 2 ] && git fsck",
  "a branch that follows another": "git checkout -qb topic origin/main && git checkout -q -",
  "its own processes": "sleep 10 & [ -e /proc/$!/stat ] && kill $!",
  "a pipe, a terminal, random bytes": "head -c 8 /dev/urandom | cat > /dev/null && [ -e /dev/ptmx ]",
  "the user's name": "id -un && getent hosts localhost",
  "a program of a folder that is shown": '"$BASE/tools/tool" | grep -qx tool',
  certificates: "[ -d /etc/ssl/certs ] || [ -d /etc/pki ]",
};

/** A script that tries each and prints a line for each success. */
export function scriptOf(tried: Record<string, string>): string {
  const tries = Object.entries(tried).map(
    ([name, code]) => `if timeout 10 bash -c ${quoted(code)} >/dev/null 2>&1 </dev/null; then echo ${quoted(name)}; fi`,
  );
  return tries.join("\n");
}

/** A command prefix that starts a new session with a key. */
export const withSessionKey = [
  "perl",
  "-e",
  `my ($type, $name) = ("user", "errand-canary");
   syscall(${calls.keyctl}, 1, 0) >= 0 and syscall(${calls.add_key}, $type, $name, $name, 6, -3) >= 0 or die "no key: $!";
   exec @ARGV or die;`,
];

function connectTo(address: string): string {
  return `use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect($s, pack_sockaddr_un(${address})) or exit 1; exit 0`;
}

function perl(code: string): string {
  return `perl -MErrno -e ${quoted(code)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
