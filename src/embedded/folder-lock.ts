import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import { isSameProcess, namespace, startOf } from '../process-state.ts';

// The names of turn files: process id, start time, namespace of the process, and a unique number.
const turnFile = /^lock\.(\d+)\.(\d*)\.([\da-f]{16})\.\d+$/;

const turnTimeout = 10_000; // milliseconds; a turn normally takes less than one

const isFresh = (file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < turnTimeout / 2;

/** The id of another process that is reading or writing the lock. Files of dead processes are deleted. */
function otherAtTurn(folder: string, own: string, now: number): string | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, start = '', where] = turnFile.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    const isHere = where === namespace();
    if (isHere ? isSameProcess(Number(pid), start) : isFresh(join(folder, name), now)) return pid;
    rmSync(join(folder, name), { force: true }); // names are unique, so the file cannot belong to a new process
  }
  return undefined;
}

const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** The exclusive right to read and write the lock. */
interface Turn {
  /** The current time of the file system, which can differ from that of this machine. */
  readonly now: number;
  readonly end: () => void;
}

/**
 * Obtains the exclusive right to read and write the lock. Each process first creates a file with a unique name and then
 * lists the folder. If two processes do so at the same time, at least the second one finds the file of the other, deletes
 * its own file, and tries again. Unlike `flock`, this works on network file systems.
 */
function takeTurn(folder: string): Turn {
  const own = `lock.${process.pid}.${startOf(process.pid)}.${namespace()}.${process.hrtime.bigint()}`;
  const end = () => rmSync(join(folder, own), { force: true });
  for (const last = performance.now() + turnTimeout; ; pause(1 + Math.random() * 10)) {
    writeFileSync(join(folder, own), '', { flag: 'wx' });
    const now = statSync(join(folder, own)).mtimeMs;
    const other = otherAtTurn(folder, own, now);
    if (other === undefined) return { now, end };
    end();
    if (performance.now() > last) throw new Unavailable(`${folder} is being locked by process ${other}.`);
  }
}

/** The number of milliseconds between heartbeats, which update the modification time of the lock. */
const touchInterval = 3_000;

/** The number of milliseconds without a heartbeat after which the owner, on another machine, is considered dead. */
const ownerTimeout = 10 * touchInterval;

/**
 * The number of milliseconds for which a lock that seems old is observed: clocks can be wrong, and machines can
 * sleep.
 */
const minObservation = 2 * touchInterval + 1_000;

/** Thrown for a lock of another container or machine, whose process ids say nothing here. */
class LockedElsewhere extends Unavailable {
  readonly touched: number;
  readonly age: number;
  constructor(message: string, { touched, age }: { readonly touched: number; readonly age: number }) {
    super(message);
    this.touched = touched;
    this.age = age;
  }
}

interface Lock {
  readonly pid: number;
  readonly start: string;
  readonly namespace: string;
  readonly host: string;
  readonly touched: number;
}

// The content of a lock: process id, start time, namespace of the process, and host.
const lockContent = /^(\d+) (\d*) ([\da-f]{16}) (\S*)\n$/;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Reads a lock. The file is opened first, because network file systems report a current modification time only then.
 * @returns undefined if there is none, or only a fragment, which a crash of the machine has left.
 */
function readLock(file: string): Lock | undefined {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const [, pid, start = '', where = '', host = ''] = lockContent.exec(readFileSync(opened, 'utf8')) ?? [];
    if (pid === undefined) return undefined;
    return { pid: Number(pid), start, namespace: where, host, touched: fstatSync(opened).mtimeMs };
  } finally {
    closeSync(opened);
  }
}

const remedy = 'stop it first, or set another DATA_DIR or a DATABASE_URL';

/** @throws Unavailable if the owner of a lock is alive or, on another machine, not known to be dead. */
function requireFree(folder: string, lock: Lock, now: number, abandoned: number | undefined): void {
  const { pid, start, host, touched } = lock;
  if (lock.namespace === namespace()) {
    if (isSameProcess(pid, start)) throw new Unavailable(`${folder} is in use by process ${pid}: ${remedy}`);
  } else if (touched !== abandoned) {
    const age = now - touched;
    const seen = `${host}, another container or machine, which touched its lock ${Math.round(age / 1000)} s ago`;
    const there = 'run commands there (docker exec)';
    throw new LockedElsewhere(`${folder} is in use by process ${pid} of ${seen}: ${there}, ${remedy}`, {
      touched,
      age,
    });
  }
}

/**
 * Updates the modification time of the lock by writing its last byte again.
 * @returns whether this process still owns it.
 */
function touch(file: string, content: string): boolean {
  try {
    const opened = openSync(file, 'r+');
    try {
      if (readFileSync(opened, 'utf8') !== content) return false;
      writeSync(opened, '\n', Buffer.byteLength(content) - 1);
    } finally {
      closeSync(opened);
    }
  } catch {
    // the folder has been deleted, or the disk fails temporarily
  }
  return true;
}

/**
 * Locks a folder, so that only this process opens the embedded database in it.
 * @param onLost called if another process has taken the lock, because this one sent no heartbeat for too long.
 * @param abandoned the last heartbeat of a lock of another machine that is to be replaced.
 * @returns a function that unlocks it.
 * @throws Unavailable that names the process which has locked the folder.
 */
export function lockFolder(folder: string, onLost = () => {}, abandoned?: number): () => void {
  const file = join(folder, 'lock');
  const content = `${process.pid} ${startOf(process.pid)} ${namespace()} ${hostname()}\n`;
  const turn = takeTurn(folder);
  try {
    const lock = readLock(file);
    if (lock) requireFree(folder, lock, turn.now, abandoned);
    writeFileSync(file, content, { mode: 0o600 });
  } finally {
    turn.end();
  }
  let isLocked = true;
  const touching = setInterval(() => {
    if (touch(file, content)) return;
    isLocked = false;
    clearInterval(touching);
    onLost();
  }, touchInterval).unref();
  return () => {
    clearInterval(touching);
    if (isLocked) rmSync(file, { force: true });
    isLocked = false;
  };
}

/**
 * Locks a folder as `lockFolder` does. If another container or machine has locked it, this function waits until a heartbeat
 * shows that the owner is alive, or until the owner can be considered dead and its lock is replaced.
 */
export async function lockAbandoned(folder: string, onLost?: () => void): Promise<() => void> {
  const begun = performance.now();
  let seen: number | undefined;
  let abandoned: number | undefined;
  for (;;) {
    try {
      return lockFolder(folder, onLost, abandoned);
    } catch (error) {
      if (!(error instanceof LockedElsewhere) || error.touched !== (seen ?? error.touched)) throw error;
      seen = error.touched;
      const observed = performance.now() - begun;
      const isDead = observed > ownerTimeout || (observed > minObservation && error.age > ownerTimeout);
      if (isDead) abandoned = seen;
    }
    await wait(500);
  }
}
