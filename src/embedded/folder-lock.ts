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

// The name of a turn file, which consists of a process id, the process's start time, its namespace and a unique number.
const turnFile = /^lock\.(\d+)\.(\d*)\.([\da-f]{16})\.\d+$/;

const turnTimeout = 10_000; // in milliseconds; a turn normally takes less than one

const isFresh = (file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < turnTimeout / 2;

/**
 * Returns the id of another process that is reading or writing the lock; undefined if there is none. Files of dead
 * processes are deleted.
 */
function otherAtTurn(folder: string, own: string, now: number): string | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, start = '', where] = turnFile.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    const isHere = where === namespace();
    if (isHere ? isSameProcess(Number(pid), start) : isFresh(join(folder, name), now)) return pid;
    // The name is unique, so the file cannot belong to a new process with the same id.
    rmSync(join(folder, name), { force: true });
  }
  return undefined;
}

const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** The exclusive right to read and write the lock. */
interface Turn {
  /** The current time of the file system, which may differ from this machine's clock. */
  readonly now: number;
  readonly end: () => void;
}

/**
 * Obtains the exclusive right to read and write the lock. Each process first creates a file with a unique name and then
 * lists the folder. If two processes do so at the same time, at least one of them finds the other's file, deletes its
 * own file, and tries again. Unlike `flock`, this also works on network file systems.
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

/** The number of milliseconds between heartbeats. A heartbeat updates the lock's modification time. */
const touchInterval = 3_000;

/** The number of milliseconds without a heartbeat after which an owner on another machine is considered dead. */
const ownerTimeout = 10 * touchInterval;

/**
 * The number of milliseconds for which a lock that looks old is observed before it is replaced. A lock can merely look
 * old, because clocks can be wrong and machines can be suspended.
 */
const minObservation = 2 * touchInterval + 1_000;

/**
 * Thrown for a lock that belongs to another container or machine, where this process cannot look up process ids.
 */
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

// The content of a lock: the process id, the process's start time, its namespace, and the host name.
const lockContent = /^(\d+) (\d*) ([\da-f]{16}) (\S*)\n$/;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Reads a lock. The file is opened first, because network file systems report the current modification time only for
 * open files.
 * @returns undefined if there is no lock, or only an incomplete one that was left behind when the machine crashed.
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

const remedy = 'stop it first, or set DATA_DIR to another folder or DATABASE_URL to a PostgreSQL server';

/**
 * Checks that a lock can be replaced. @throws Unavailable if its owner is alive or, on another machine, may be alive.
 */
function requireFree(folder: string, lock: Lock, now: number, abandoned: number | undefined): void {
  const { pid, start, host, touched } = lock;
  if (lock.namespace === namespace()) {
    if (isSameProcess(pid, start)) throw new Unavailable(`${folder} is in use by process ${pid}: ${remedy}`);
  } else if (touched !== abandoned) {
    const age = now - touched;
    const seen = `${host}, another container or machine, which renewed its lock ${Math.round(age / 1000)} s ago`;
    const there = 'run commands there (docker exec)';
    throw new LockedElsewhere(`${folder} is in use by process ${pid} of ${seen}: ${there}, ${remedy}`, {
      touched,
      age,
    });
  }
}

/**
 * Updates the modification time of the lock by rewriting its last byte.
 * @returns whether this process still owns the lock.
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
    // The folder has been deleted, or the disk has a temporary failure.
  }
  return true;
}

/**
 * Locks a folder, so that only this process opens the embedded database in it. Two PostgreSQL servers that use the same
 * folder would destroy the data.
 * @param onLost called if another process has taken over the lock, because this process sent no heartbeat for too long.
 * @param abandoned the time of the last heartbeat of another machine's lock, if that lock may be replaced.
 * @returns a function that unlocks the folder.
 * @throws Unavailable that names the process that has locked the folder.
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
 * Locks a folder like `lockFolder`. If another container or machine has locked it, this function first waits for a
 * heartbeat: if there is one, the owner is alive; otherwise its lock is replaced.
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
