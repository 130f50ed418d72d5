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

const turnFile = /^lock\.(\d+)\.(\d*)(?:\.([\da-f]{16}))?\.\d+$/;

const turnTimeout = 10_000; // milliseconds; a turn takes less than one

const isFresh = (file: string, now: number): boolean =>
  now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < turnTimeout / 2;

/** Another process that is reading or writing the lock; files of processes that have died are deleted. */
function otherAtTurn(folder: string, own: string, now: number): string | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, start = '', where = namespace()] = turnFile.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    const isHere = where === namespace();
    if (isHere ? isSameProcess(Number(pid), start) : isFresh(join(folder, name), now)) return pid;
    rmSync(join(folder, name), { force: true }); // no process will have this name again
  }
  return undefined;
}

const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

interface Turn {
  /** By the clock of the file system, as the touches of a lock are. */
  readonly now: number;
  readonly end: () => void;
}

/**
 * Lets this process alone read and write the lock. Each process first creates a file with a name of its own
 * and then lists the folder: of two processes, the second one finds the file of the first, deletes its own,
 * and tries again.
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
    if (performance.now() > last) throw new Unavailable(`${folder} is about to be used by process ${other}`);
  }
}

/** Milliseconds between touches of a lock; without any for so long its owner counts as dead elsewhere. */
const touchInterval = 3_000;
const silenceOfDead = 10 * touchInterval;

/** Milliseconds of silence to be seen of a lock that looks old: clocks jump, and machines sleep. */
const leastSilence = 2 * touchInterval + 1_000;

/** A lock of another container or machine, where the number of a process means another one. */
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

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Opened first, since file systems of networks tell the time of a change for certain only then. */
function readLock(file: string): Lock | undefined {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const words = readFileSync(opened, 'utf8').trim().split(' ');
    const [pid, start = '', where = namespace(), host = ''] = words; // earlier releases wrote two
    return { pid: Number(pid), start, namespace: where, host, touched: fstatSync(opened).mtimeMs };
  } finally {
    closeSync(opened);
  }
}

const remedy = 'stop it first, or set another DATA_DIR or a DATABASE_URL';

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

/** Writes the last byte again. @returns whether the lock is still its own. */
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
    // a folder that is gone, or a disk that fails for a while
  }
  return true;
}

/**
 * Locks a folder for this process: only one process can open the embedded database.
 * @param onLost called when another process has taken the lock, since this one was silent for too long.
 * @param abandoned the last touch of a lock of elsewhere that is to be replaced.
 * @returns a function that unlocks it.
 * @throws Unavailable naming the process that has locked it.
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
 * As `lockFolder`, and waits until a lock of elsewhere is touched, which shows that its process lives, or
 * was silent for long enough.
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
      const silence = performance.now() - begun;
      const isDead = silence > silenceOfDead || (silence > leastSilence && error.age > silenceOfDead);
      if (isDead) abandoned = seen;
    }
    await wait(500);
  }
}
