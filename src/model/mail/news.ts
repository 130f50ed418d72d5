import type { EventName } from '../event-names.ts';
import { filledLabel, type Language, labelText } from '../labels.ts';
import { asLine, type MailTemplate } from './templates.ts';

interface NewsItem {
  /** The URL of the task or the document in the console. */
  readonly link: string;
  /** The user who created the task or made the change. */
  readonly by: string;
}

export interface NewTask extends NewsItem {
  readonly name: string | null;
  /** The title of the task's document; null for a task without a document. */
  readonly title: string | null;
}

export interface Change extends NewsItem {
  /** The id of the changed document. */
  readonly id: string;
  readonly title: string;
  /** The event, or why a comment concerns the user personally. */
  readonly event: EventName | 'mention' | 'reply';
}

/**
 * `documents` is the maximum number of documents that an email lists individually, and `alike` is the maximum number of
 * changes of the same kind by the same user that it lists individually.
 */
const limits = { documents: 20, alike: 5 };

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/**
 * Formats the changes as lines, grouped by document. Many changes of the same kind, such as those of a bulk action,
 * become one line.
 */
function changeLines(changes: readonly Change[], isCut: boolean, language: Language): string[] {
  const once = grouped(changes, ({ id, by, event }) => JSON.stringify([id, by, event])).map(
    ([first]) => first as Change,
  );
  const isLong = new Set(once.map(({ id }) => id)).size > limits.documents;
  const groups = grouped(once, ({ by, event }) => JSON.stringify([by, event]));
  const isSummed = (group: readonly Change[]) => isLong || group.length > limits.alike;
  const action = ({ event, by }: Change) => filledLabel(`mail.news.${event}`, language, { user: asLine(by) });
  const sums = groups.filter(isSummed).map((group) =>
    filledLabel('mail.news.sum', language, {
      count: String(group.length),
      action: action(group[0] as Change),
    }),
  );
  const listed = grouped(groups.filter((group) => !isSummed(group)).flat(), ({ id }) => id).map((ofOne) => {
    const { title, link } = ofOne[0] as Change;
    const actions = ofOne.map(action).join(', ');
    return filledLabel('mail.news.document', language, { title: asLine(title), actions, link });
  });
  return [...sums, ...listed, ...(isCut ? [labelText('mail.news.more', language)] : [])];
}

function taskLines(tasks: readonly NewTask[], language: Language): string[] {
  const lines = tasks.slice(0, limits.documents).map(({ name, title, link, by }) =>
    filledLabel(title === null ? 'mail.news.taskWithoutDocument' : 'mail.news.task', language, {
      name: asLine(labelText(name ?? '', language)),
      title: asLine(title ?? ''),
      user: asLine(by),
      link,
    }),
  );
  const left = tasks.length - lines.length;
  return left > 0 ? [...lines, filledLabel('mail.news.moreTasks', language, { count: String(left) })] : lines;
}

/** Creates the email about a user's new tasks and about changes to documents that the user follows. */
export function newsMail(
  {
    tasks,
    changes,
    isCut,
    isDigest,
  }: {
    readonly tasks: readonly NewTask[];
    readonly changes: readonly Change[];
    readonly isCut: boolean;
    readonly isDigest: boolean;
  },
  language: Language,
): MailTemplate {
  const part = (heading: string, lines: readonly string[]) =>
    lines.length > 0 ? [[labelText(heading, language), ...lines].join('\n')] : [];
  const parts = [
    ...part('mail.news.tasks', taskLines(tasks, language)),
    ...part(isDigest ? 'mail.news.documents' : 'mail.news.changes', changeLines(changes, isCut, language)),
    labelText('mail.news.why', language),
  ];
  const kind = tasks.length > 0 ? 'tasks' : 'changes';
  const subject = labelText(`mail.${isDigest ? 'digest' : kind}.subject`, language);
  return { subject, text: `${parts.join('\n\n')}\n` };
}
