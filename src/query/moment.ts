import { Invalid } from '../errors.ts';
import { readDate } from '../model/values/read-value.ts';
import type { Moment } from './ast.ts';
import { QueryFault } from './query-fault.ts';

const amount = '([+-]?\\d{1,6})';
const durationPattern = new RegExp(
  `^([+-])?P(?=.)(?:${amount}Y)?(?:${amount}M)?(?:${amount}W)?(?:${amount}D)?` +
    `(?:T(?=.)(?:${amount}H)?(?:${amount}M)?(?:([+-]?\\d{1,9}(?:\\.\\d{1,3})?)S)?)?$`,
);

/** An ISO 8601 duration, such as `P1Y2M3W4DT5H6M7.5S`. The duration and each of its numbers can have a sign. */
interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

function readDuration(text: string): Duration | undefined {
  const match = durationPattern.exec(text);
  if (!match) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((number) => Number(number ?? 0));
  const sign = match[1] === '-' ? -1 : 1;
  const allMinutes = ((weeks * 7 + days) * 24 + hours) * 60 + minutes;
  return {
    months: sign * (years * 12 + months),
    milliseconds: sign * Math.round((allMinutes * 60 + seconds) * 1000),
  };
}

export const isDuration = (text: string): boolean => readDuration(text) !== undefined;

/**
 * Adds months to a date. If the resulting month has no such day, the result is the last day of that month, as in
 * PostgreSQL.
 */
function plusMonths(date: Date, months: number): Date {
  const first = new Date(date);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date.getUTCDate(), last));
  return first;
}

/**
 * Converts a date from a query to the format of stored dates.
 * @throws QueryFault if the date is invalid
 */
export function queryDate(text: string, property?: string): string {
  try {
    return readDate(text.replace(' ', 'T'), property ?? 'date');
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new QueryFault(property === undefined ? error.fault : `${property}: ${error.fault}`);
  }
}

/**
 * Formats a point in time like stored dates.
 * @throws QueryFault if the date is invalid or outside the years 0 to 9999
 */
export function momentText(moment: Moment, now: string): string {
  if (moment.kind === 'moment') return queryDate(moment.iso);
  if (moment.duration === undefined) return now;
  const duration = readDuration(moment.duration);
  if (!duration) throw new QueryFault(`"${moment.duration.slice(0, 40)}" is not an ISO 8601 duration`);
  const date = new Date(plusMonths(new Date(now), duration.months).getTime() + duration.milliseconds);
  if (Number.isNaN(date.getTime()))
    throw new QueryFault(`NOW('${moment.duration}') is not a valid point in time`);
  return queryDate(date.toISOString());
}
