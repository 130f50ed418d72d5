import { answerTooLarge, bytesText, TooLarge, Unavailable } from '../errors.ts';

/** Bytes that every request reads without asking, and the unit in which it takes more. */
const step = 2 ** 18;

/**
 * Where all rows become part of the answer: how many times as long they may be as the answer, since PostgreSQL
 * writes JSON with blanks; and which part of the answer they fill at most, since it names empty properties, too.
 */
const ofAnswer = { rows: 2, entries: 0.8 };

/** Milliseconds that a request waits in all for memory that others hold. */
const maxWait = 1_000;

/** Another request holds the memory that a statement needs. Outside of a transaction it is sent again. */
export class MemoryExhausted extends Unavailable {
  constructor() {
    super('The server has no memory left for the rows that this request reads; try again soon.');
  }
}

/** The rows of one request are more than its user may hold in memory. */
export class RowsTooLarge extends TooLarge {
  /** @param rows how many rows of the statement fitted. */
  constructor(share: number, rows: number) {
    const advice =
      rows > 0
        ? `Ask for fewer entries, such as pageSize=${rows}, or for fewer enrichers.`
        : 'Ask for fewer entries or enrichers.';
    super(`This request would read more than ${bytesText(share)} from the database. ${advice}`);
  }
}

interface Waiting {
  readonly memory: RequestMemory;
  readonly bytes: number;
  readonly begin: () => void;
}

interface Observer {
  readonly onWaited: (seconds: number) => void;
  readonly onRefused: () => void;
}

/**
 * The memory of a process for rows of the database that requests have read and not answered yet. It counts the
 * bytes that PostgreSQL sends: as objects and as an answer the rows need several times as much.
 */
export class MemoryBudget {
  /** Bytes that one user may hold. */
  readonly share: number;
  readonly #bytes: number;
  readonly #observe: Observer;
  readonly #ofUsers = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #held = 0;

  constructor(bytes: number, observe: Observer) {
    this.#bytes = bytes;
    this.share = Math.floor(bytes / 2);
    this.#observe = observe;
  }

  /** Bytes that requests hold at present. */
  get held(): number {
    return this.#held;
  }

  /** Begins to count the rows of a request. Whoever begins must call `release`. */
  open(user: string): RequestMemory {
    return new RequestMemory(this, user);
  }

  #isOverShare(user: string, bytes: number): boolean {
    return (this.#ofUsers.get(user) ?? 0) + bytes > this.share;
  }

  #add(user: string, bytes: number): void {
    this.#held += bytes;
    const ofUser = (this.#ofUsers.get(user) ?? 0) + bytes;
    if (ofUser > 0) this.#ofUsers.set(user, ofUser);
    else this.#ofUsers.delete(user);
  }

  // A request that holds memory already may pass those that wait: it is the one that will release some.
  #isBehindOthers({ user, held }: RequestMemory): boolean {
    if (held > 0) return false;
    return this.#waiting.some(
      (other) => other.memory.user === user || !this.#isOverShare(other.memory.user, other.bytes),
    );
  }

  /** Takes bytes if they are free. */
  take(memory: RequestMemory, bytes: number): boolean {
    const { user } = memory;
    if (this.#isOverShare(user, bytes) || this.#held + bytes > this.#bytes) return false;
    if (this.#isBehindOthers(memory)) return false;
    this.#add(user, bytes);
    return true;
  }

  /**
   * Takes bytes as soon as they are free, first come first served; a user at the limit does not delay others.
   * @throws MemoryExhausted when the time is over.
   */
  wait(memory: RequestMemory, bytes: number, milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const end = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        clearTimeout(timer);
        this.#observe.onWaited((performance.now() - since) / 1000);
      };
      const giveUp = (): void => {
        end();
        this.#observe.onRefused();
        reject(new MemoryExhausted());
        this.#admit(); // it may have stood in front of others
      };
      const begin = (): void => {
        end();
        this.#add(memory.user, bytes);
        resolve();
      };
      const entry: Waiting = { memory, bytes, begin };
      const timer = setTimeout(giveUp, milliseconds);
      this.#waiting.push(entry);
      this.#admit();
    });
  }

  release({ user }: RequestMemory, bytes: number): void {
    if (bytes === 0) return;
    this.#add(user, -bytes);
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting.find(({ memory, bytes }) => !this.#isOverShare(memory.user, bytes));
      if (!next || this.#held + next.bytes > this.#bytes) return;
      next.begin();
    }
  }
}

/** The bytes that must be held for so many that were read. */
const toHold = (read: number): number => (read <= step ? 0 : Math.ceil(read / step) * step);

/** The rows that one request has read. */
export class RequestMemory {
  readonly user: string;
  readonly #budget: MemoryBudget;
  #read = 0;
  #held = 0;
  #waitEnd: number | undefined;
  #answerLimit: number | undefined;
  #fitting: number | undefined;

  constructor(budget: MemoryBudget, user: string) {
    this.#budget = budget;
    this.user = user;
  }

  /** Bytes of the budget that this request holds. */
  get held(): number {
    return this.#held;
  }

  /** All rows become part of an answer of so many bytes: reading ends where they are certainly too many. */
  limitTo(answerLimit: number): void {
    this.#answerLimit = answerLimit;
  }

  #answerFault(bytes: number, rows: number): TooLarge | undefined {
    const limit = this.#answerLimit;
    if (limit === undefined) return undefined;
    const read = this.#read + bytes;
    if (read > limit * ofAnswer.entries) this.#fitting ??= rows;
    return read > limit * ofAnswer.rows ? answerTooLarge(limit, this.#fitting ?? 0) : undefined;
  }

  /** Counts the bytes of a row of a statement. @returns the error with which the statement must end. */
  add(bytes: number, rows: number): MemoryExhausted | TooLarge | undefined {
    const fault = this.#answerFault(bytes, rows);
    if (fault) return fault;
    const needed = toHold(this.#read + bytes);
    if (needed > this.#held) {
      if (needed > this.#budget.share) return new RowsTooLarge(this.#budget.share, rows);
      if (!this.#budget.take(this, needed - this.#held)) return new MemoryExhausted();
      this.#held = needed;
    }
    this.#read += bytes;
    return undefined;
  }

  /** The rows of a statement that has failed are not kept. */
  subtract(bytes: number): void {
    this.#read -= bytes;
  }

  /**
   * Waits until a statement can be sent again that has read so many bytes in vain. They are free meanwhile, and
   * it gets as many as it can need at most where that is known, else twice as many.
   * @throws MemoryExhausted when the request has waited for a second in all.
   */
  async wait(bytes: number): Promise<void> {
    this.shrink(this.#read);
    const most =
      this.#answerLimit === undefined ? Number.POSITIVE_INFINITY : this.#answerLimit * ofAnswer.rows;
    const wanted = Math.min(toHold(Math.min(this.#read + 2 * bytes, most)), this.#budget.share);
    const missing = wanted - this.#held;
    if (missing <= 0) return;
    this.#waitEnd ??= performance.now() + maxWait;
    await this.#budget.wait(this, missing, Math.max(0, this.#waitEnd - performance.now()));
    this.#held += missing;
  }

  /** The rows that were read are not used any more; what is held serves for the next ones. */
  forget(): void {
    this.#read = 0;
  }

  /** The request is answered with so many bytes, which are all that it still needs. */
  shrink(bytes: number): void {
    const needed = Math.min(this.#held, toHold(bytes));
    this.#budget.release(this, this.#held - needed);
    this.#held = needed;
  }

  release(): void {
    this.#read = 0;
    this.shrink(0);
  }
}
