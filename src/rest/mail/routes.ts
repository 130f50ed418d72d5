import { call, queryArguments } from '../../selection/selection.ts';
import { get, partArguments, type Route } from '../route.ts';

const page = { ...queryArguments('status'), ...partArguments };

export const mailRoutes: readonly Route[] = [
  get('/mail', ({ mails }) => ({ mails: call(page, mails) }), {
    name: 'getMails',
    summary: 'List emails, newest first',
    isHidden: true,
  }),
];
