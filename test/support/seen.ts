import { appendFileSync } from 'node:fs';

const kept = globalThis as { seenAnswers?: Set<string> };

/** Adds what an answer had to the file that `SEEN_ANSWERS` names, for `unseen.ts`; once in a worker. */
export function seen(what: string): void {
  const file = process.env.SEEN_ANSWERS;
  if (!file) return;
  kept.seenAnswers ??= new Set();
  if (kept.seenAnswers.has(what)) return;
  kept.seenAnswers.add(what);
  appendFileSync(file, `${what}\n`);
}
